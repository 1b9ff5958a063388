import { useState } from 'react'
import { Button } from '../../../ui/components/Button.tsx'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { invalidateCache } from '../../../ui/graphql/client.ts'
import { HttpFailure } from '../../../ui/runtime/http-failure.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import type { CallOptions } from '../../../ui/runtime/transport.ts'
import { FormDialog } from '../../../ui/staff/FormDialog.tsx'
import { PREFIX_ACTIONS, UNDO_SECONDS, type BulkAction } from '../../states.ts'
import { staffTransit } from './api.ts'
import { tellHeld } from './held-in-bulk.ts'
import { DECISIONS } from './prefix-decisions.ts'
import type { ListedPrefix } from './prefix-documents.ts'

/** Approves or rejects what is selected and can be decided, in one call, and says what became of each. */
export function BulkDecision({ selected, onDone }: { selected: readonly ListedPrefix[]; onDone: () => void }) {
  const prefixes = selected.filter(({ status }) => PREFIX_ACTIONS.approve.from.includes(status))
  const left = selected.length - prefixes.length
  const which = left > 0 ? `${prefixes.length} of ${selected.length}` : 'selected'
  const missingRole = useMissingRoleReason('network')
  const blockedReason = missingRole ?? (prefixes.length === 0 ? 'None of the selected prefixes can be decided.' : null)
  const [busy, setBusy] = useState(false)
  const [rejects, setRejects] = useState(false)
  const decide = async (action: BulkAction, reason?: string, options?: CallOptions) => {
    const ids = prefixes.map(({ databaseId }) => databaseId)
    const outcomes = await staffTransit.call['POST /api/admin/transit_prefixes/decisions'](
      { body: { action, ids, undoable: true, ...(reason !== undefined && { reason }) } },
      options,
    )
    invalidateCache()
    tellHeld(action, outcomes)
    onDone()
  }
  const approve = () => {
    setBusy(true)
    decide('approve')
      // The transport has shown a refusal already; anything else is a fault of ours.
      .catch((error: unknown) => {
        if (!(error instanceof HttpFailure)) throw error
      })
      .finally(() => setBusy(false))
  }
  return (
    <>
      <Button variant="primary" busy={busy} disabledReason={blockedReason} onClick={approve}>
        Approve {which}
      </Button>
      <Button disabledReason={blockedReason} onClick={() => setRejects(true)}>
        Reject {which}
      </Button>
      {rejects && (
        <FormDialog
          title={prefixes.length === 1 ? `Reject ${prefixes[0]!.value}` : `Reject ${prefixes.length} prefixes`}
          action={prefixes.length === 1 ? 'Reject prefix' : 'Reject prefixes'}
          danger
          onClose={() => setRejects(false)}
          onSubmit={(values, submission) => decide('reject', values.text('reason'), submission)}
        >
          <p>{DECISIONS.reject.consequence}</p>
          <p>It takes effect after {UNDO_SECONDS} seconds. Until then you can undo it.</p>
          {left > 0 && (
            <p>{left === 1 ? '1 selected prefix is' : `${left} selected prefixes are`} left out: already decided.</p>
          )}
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
