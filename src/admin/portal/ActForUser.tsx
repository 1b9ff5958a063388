import { useState } from 'react'
import { ReasonField } from '../../accounts/portal/acting/ReasonField.tsx'
import { ACTING_MINUTES } from '../../accounts/policy.ts'
import { startAnew } from '../../portal/acting.ts'
import { useDutyRefusal } from '../../portal/duty.ts'
import { explainFailure } from '../../portal/explain-failure.ts'
import { Button } from '../../portal/ui/Button.tsx'
import { Dialog } from '../../portal/ui/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../portal/ui/Form.tsx'
import { FormFoot } from '../../portal/ui/FormFoot.tsx'
import { staff } from './api.ts'
import type { DetailedUser } from './documents/users.ts'
import { fullName } from './person.ts'

/** Sees the portal as this customer does, once there is a reason that the customer may read. */
export function ActForUser({ user }: { user: DetailedUser }) {
  const [open, setOpen] = useState(false)
  const refusal =
    useDutyRefusal('support') ?? (user.isAdmin ? 'This account is of staff: nobody acts for staff.' : null)
  const begin = async (values: FormValues, submission: Submission) => {
    const body = { reason: values.text('reason') }
    await staff.call['POST /api/admin/users/{id}/acting']({ params: { id: user.databaseId }, body }, submission)
    startAnew('/')
  }
  return (
    <>
      <Button icon="users" disabledReason={refusal} onClick={() => setOpen(true)}>
        Act for this customer
      </Button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} title={`Act for ${fullName(user)}`}>
          <Form onSubmit={begin} explain={explainFailure}>
            <p>
              You see the portal as {fullName(user)} does, for {ACTING_MINUTES} minutes at most and in all tabs of this
              browser. You look only; changes have to be allowed on their own.
            </p>
            <ReasonField />
            <FormFoot onCancel={() => setOpen(false)}>Act for {fullName(user)}</FormFoot>
          </Form>
        </Dialog>
      )}
    </>
  )
}
