import { useState } from 'react'
import { useDutyRefusal } from '../../portal/duty.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { TextAreaField } from '../../portal/ui/Field.tsx'
import { staff } from './api.ts'
import { FormDialog } from './FormDialog.tsx'
import { rereadStaff, useDeed } from './use-deed.ts'

/** Takes a host out of placement before it is worked on, and back in. What runs there goes on. */
export function DrainButton({
  host: { id, name, drained },
}: {
  host: { readonly id: number; readonly name: string; readonly drained: boolean }
}) {
  const { busy, act } = useDeed()
  const [asked, setAsked] = useState(false)
  const refusal = useDutyRefusal('network')
  const params = { id }
  const reopen = () =>
    act(
      id,
      () => staff.call['PATCH /api/admin/hypervisors/{id}']({ params, body: { drained: false } }),
      `${name} accepts new routers again`,
      'It is considered again for new routers.',
    )
  return (
    <>
      <Button busy={busy === id} disabledReason={refusal} onClick={drained ? reopen : () => setAsked(true)}>
        {drained ? 'End draining' : 'Drain'}
      </Button>
      {asked && (
        <FormDialog
          title={`Drain ${name}`}
          action="Drain hypervisor"
          onClose={() => setAsked(false)}
          onSubmit={async (values, submission) => {
            const body = { drained: true, reason: values.text('reason') }
            await staff.call['PATCH /api/admin/hypervisors/{id}']({ params, body }, submission)
            await rereadStaff()
          }}
        >
          <ul className="list-disc space-y-1 pl-5 text-sm">
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
