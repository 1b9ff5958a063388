import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { Confirm } from '../../../../ui/components/Confirm.tsx'
import { TextAreaField } from '../../../../ui/components/Field.tsx'
import { Menu } from '../../../../ui/components/Menu.tsx'
import type { AdminEdge } from '../../../contract.ts'
import { staffTransit } from '../api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff, useAction } from '../../../../ui/staff/use-action.ts'
import { EdgeDialog } from './EdgeDialog.tsx'

/** The actions for one edge. `alone`: there is no other edge. */
export function EdgeActions({ edge, alone }: { edge: AdminEdge; alone: boolean }) {
  const blockedReason = useMissingRoleReason('network')
  const { busy, runAction } = useAction()
  const [asked, setAsked] = useState<'change' | 'maintenance' | 'remove' | null>(null)
  const close = () => setAsked(null)
  const call = staffTransit.call['PATCH /api/admin/edges/{id}']
  const params = { id: edge.id }
  const end = () =>
    runAction(
      edge.id,
      () => call({ params, body: { maintenance: false } }),
      `Maintenance of ${edge.name} ended`,
      'Traffic returns as the edge applies the change.',
    )
  const stays = alone
    ? 'This is the only edge.'
    : edge.sites.length > 0
      ? 'This edge still serves sites. Move them to another edge first.'
      : null
  return (
    <>
      <Button
        busy={busy === edge.id}
        disabledReason={blockedReason}
        onClick={edge.maintenance ? end : () => setAsked('maintenance')}
      >
        {edge.maintenance ? 'End maintenance' : 'Begin maintenance'}
      </Button>
      <Menu
        label={`Actions for ${edge.name}`}
        entries={[
          {
            label: alone ? 'Rename' : 'Name and sites',
            icon: 'edit',
            disabledReason: blockedReason,
            onSelect: () => setAsked('change'),
          },
          {
            label: 'Remove',
            icon: 'trash',
            disabledReason: blockedReason ?? stays,
            onSelect: () => setAsked('remove'),
          },
        ]}
      />
      {asked === 'change' && <EdgeDialog edge={edge} onClose={close} />}
      {asked === 'maintenance' && <MaintenanceDialog edge={edge} onClose={close} />}
      <Confirm
        open={asked === 'remove'}
        onClose={close}
        title={`Remove ${edge.name}`}
        consequences={[
          'Its agent keeps waiting, and the edge can be added again.',
          `The router keeps its configuration until you remove it from ${edge.kind === 'openbgpd' ? 'OpenBGPD' : 'BIRD'}.`,
        ]}
        action="Remove edge"
        danger
        onConfirm={async () => {
          await staffTransit.call['DELETE /api/admin/edges/{id}']({ params })
          await rereadStaff()
        }}
      />
    </>
  )
}

const MaintenanceDialog = ({ edge, onClose }: { edge: AdminEdge; onClose: () => void }) => (
  <FormDialog
    title={`Begin maintenance of ${edge.name}`}
    action="Begin maintenance"
    onClose={onClose}
    onSubmit={async (values, submission) => {
      const body = { maintenance: true, reason: values.text('reason') }
      await staffTransit.call['PATCH /api/admin/edges/{id}']({ params: { id: edge.id }, body }, submission)
      await rereadStaff()
    }}
  >
    <ul className="grid list-disc gap-1 pl-5 text-sm">
      <li>
        All routes of its customers become a last resort (RFC 8326). Traffic moves to other paths where they exist.
      </li>
      <li>Sessions stay up. Customers with a single path are unaffected until the edge goes down.</li>
      <li>Wait a few minutes before you start work.</li>
    </ul>
    <TextAreaField label="Reason" name="reason" rows={2} maxLength={500} required hint="Visible to other staff." />
  </FormDialog>
)
