import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { invalidateCache } from '../../../ui/graphql/client.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import type { CallOptions } from '../../../ui/runtime/transport.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { PREFIX_ACTIONS, UNDO_SECONDS, type BulkAction } from '../../states.ts'
import { staffTransit } from './api.ts'
import { showHeld } from './held-in-bulk.ts'
import { approvalColumns } from './prefix-columns.tsx'
import { DECISIONS } from './prefix-decisions.ts'
import type { ListedPrefix } from './prefix-documents.ts'

/** Approves or rejects the selected prefixes that can be decided, in one request, and shows the outcome of each. */
export function BulkDecision({ selected, onDone }: { selected: readonly ListedPrefix[]; onDone: () => void }) {
  const prefixes = selected.filter(({ status }) => PREFIX_ACTIONS.approve.from.includes(status))
  const left = selected.length - prefixes.length
  const which = left > 0 ? `${prefixes.length} of ${selected.length}` : 'selected'
  const missingRole = useMissingRoleReason('network')
  const blockedReason = missingRole ?? (prefixes.length === 0 ? 'None of the selected prefixes can be decided.' : null)
  const [asks, setAsks] = useState<BulkAction | null>(null)
  const decide = async (action: BulkAction, reason: string | undefined, options: CallOptions) => {
    const ids = prefixes.map(({ databaseId }) => databaseId)
    const outcomes = await staffTransit.call['POST /api/admin/transit_prefixes/decisions'](
      { body: { action, ids, undoable: true, ...(reason !== undefined && { reason }) } },
      options,
    )
    invalidateCache()
    showHeld(action, outcomes)
    onDone()
  }
  const close = () => setAsks(null)
  return (
    <>
      <Button variant="primary" disabledReason={blockedReason} onClick={() => setAsks('approve')}>
        Approve {which}
      </Button>
      <Button disabledReason={blockedReason} onClick={() => setAsks('reject')}>
        Reject {which}
      </Button>
      {asks === 'approve' && (
        <FormDialog
          title={titleOf('approve', prefixes)}
          action={labelOf('approve', prefixes)}
          width="lg"
          onClose={close}
          onSubmit={(_, submission) => decide('approve', undefined, submission)}
        >
          <DataTable
            label="Prefixes to approve"
            columns={approvalColumns}
            rows={prefixes}
            rowKey={({ databaseId }) => databaseId}
          />
          <p>{DECISIONS.approve.consequence}</p>
          <p>
            The approval policy decides about each: one that needs a reason or a second person is not approved here.
          </p>
          <Delay left={left} />
        </FormDialog>
      )}
      {asks === 'reject' && (
        <FormDialog
          title={titleOf('reject', prefixes)}
          action={labelOf('reject', prefixes)}
          danger
          onClose={close}
          onSubmit={(values, submission) => decide('reject', values.text('reason'), submission)}
        >
          <p>{DECISIONS.reject.consequence}</p>
          <Delay left={left} />
          <TextAreaField
            label="Reason"
            name="reason"
            rows={3}
            maxLength={500}
            required
            hint="Visible to each customer: say what they need to fix."
          />
        </FormDialog>
      )}
    </>
  )
}

const titleOf = (action: BulkAction, prefixes: readonly ListedPrefix[]): string =>
  prefixes.length === 1 ? `${DECISIONS[action].label} ${prefixes[0]!.value}` : labelOf(action, prefixes)

const labelOf = (action: BulkAction, { length }: readonly ListedPrefix[]): string =>
  length === 1 ? DECISIONS[action].verb : `${DECISIONS[action].label} ${length} prefixes`

function Delay({ left }: { left: number }) {
  return (
    <>
      <p>It takes effect after {UNDO_SECONDS} seconds. Until then you can undo it.</p>
      {left > 0 && (
        <p>{left === 1 ? '1 selected prefix is' : `${left} selected prefixes are`} left out: already decided.</p>
      )}
    </>
  )
}
