import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { TextAreaField } from '../../../../ui/components/Field.tsx'
import { staffRouters } from '../api.ts'
import { FormDialog } from '../../../../ui/staff/FormDialog.tsx'
import { rereadStaff, useAction } from '../../../../ui/staff/use-action.ts'

/** Drains a host before work on it, or ends the drain. What runs there keeps running. */
export function DrainButton({
  host: { id, name, drained },
}: {
  host: { readonly id: number; readonly name: string; readonly drained: boolean }
}) {
  const { busy, runAction } = useAction()
  const [asked, setAsked] = useState(false)
  const blockedReason = useMissingRoleReason('network')
  const params = { id }
  const reopen = () =>
    runAction(
      id,
      () => staffRouters.call['PATCH /api/admin/hypervisors/{id}']({ params, body: { drained: false } }),
      `${name} accepts new routers again`,
      'It is considered again for new routers.',
    )
  return (
    <>
      <Button busy={busy === id} disabledReason={blockedReason} onClick={drained ? reopen : () => setAsked(true)}>
        {drained ? 'End draining' : 'Drain'}
      </Button>
      {asked && (
        <FormDialog
          title={`Drain ${name}`}
          action="Drain hypervisor"
          onClose={() => setAsked(false)}
          onSubmit={async (values, submission) => {
            const body = { drained: true, reason: values.text('reason') }
            await staffRouters.call['PATCH /api/admin/hypervisors/{id}']({ params, body }, submission)
            await rereadStaff()
          }}
        >
          <ul className="grid list-disc gap-1 pl-5 text-sm">
            <li>No new routers are placed on it.</li>
            <li>Existing routers keep running and are not moved.</li>
          </ul>
          <TextAreaField
            label="Reason"
            name="reason"
            rows={2}
            maxLength={500}
            required
            hint="Visible to other staff."
          />
        </FormDialog>
      )}
    </>
  )
}
