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
  const refusal = useDutyRefusal('support') ?? (user.isAdmin ? 'Staff accounts can’t be impersonated.' : null)
  const begin = async (values: FormValues, submission: Submission) => {
    const body = { reason: values.text('reason') }
    await staff.call['POST /api/admin/users/{id}/acting']({ params: { id: user.databaseId }, body }, submission)
    startAnew('/')
  }
  return (
    <>
      <Button icon="users" disabledReason={refusal} onClick={() => setOpen(true)}>
        View as customer
      </Button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} title={`View as ${fullName(user)}`}>
          <Form onSubmit={begin} explain={explainFailure}>
            <p>
              You will see the portal as {fullName(user)} for up to {ACTING_MINUTES} minutes, in all tabs of this
              browser. Read-only until you allow changes.
            </p>
            <ReasonField />
            <FormFoot onCancel={() => setOpen(false)}>View as {fullName(user)}</FormFoot>
          </Form>
        </Dialog>
      )}
    </>
  )
}
