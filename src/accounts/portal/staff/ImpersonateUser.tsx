import { useState } from 'react'
import { ReasonField } from '../impersonation/ReasonField.tsx'
import { IMPERSONATION_MINUTES } from '../../policy.ts'
import { reloadPortal } from '../../../ui/runtime/impersonation.ts'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { staffAccounts } from './api.ts'
import type { DetailedUser } from './user-documents.ts'
import { fullName } from './user-name.ts'

/** Starts an impersonation of this customer, with a reason that the customer can read. */
export function ImpersonateUser({ user }: { user: DetailedUser }) {
  const [open, setOpen] = useState(false)
  const blockedReason =
    useMissingRoleReason('support') ?? (user.isAdmin ? 'Staff accounts can’t be impersonated.' : null)
  const begin = async (values: FormValues, submission: Submission) => {
    const body = { reason: values.text('reason') }
    await staffAccounts.call['POST /api/admin/users/{id}/impersonation'](
      { params: { id: user.databaseId }, body },
      submission,
    )
    reloadPortal('/')
  }
  return (
    <>
      <Button icon="users" disabledReason={blockedReason} onClick={() => setOpen(true)}>
        View as customer
      </Button>
      {open && (
        <Dialog open onClose={() => setOpen(false)} title={`View as ${fullName(user)}`}>
          <Form onSubmit={begin} explain={explainFailure}>
            <p>
              You will see the portal as {fullName(user)} for up to {IMPERSONATION_MINUTES} minutes, in all tabs of this
              browser. Read-only until you allow changes.
            </p>
            <ReasonField />
            <FormFooter onCancel={() => setOpen(false)}>View as {fullName(user)}</FormFooter>
          </Form>
        </Dialog>
      )}
    </>
  )
}
