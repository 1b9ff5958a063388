import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { refreshUser } from '../../../ui/runtime/session.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import { ELEVATED_MINUTES } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useConfirmIdentity } from '../proof/prove.ts'
import { ReasonField } from './ReasonField.tsx'

/** Elevates a read-only impersonation: asks for another reason and confirms the identity again. */
export function ElevateDialog({ customer, onClose }: { customer: string; onClose: () => void }) {
  const confirmIdentity = useConfirmIdentity()
  const elevate = async (values: FormValues, submission: Submission) => {
    if (!(await confirmIdentity())) return
    await accounts.call['POST /api/impersonation/elevate']({ body: { reason: values.text('reason') } }, submission)
    await refreshUser()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Allow changes for ${customer}`}>
      <Form onSubmit={elevate} explain={explainFailure}>
        <p>
          For {ELEVATED_MINUTES} minutes. Each change is listed in {customer}’s activity with your name. You cannot
          access their sign-in settings, payment methods or router consoles.
        </p>
        <ReasonField />
        <FormFooter onCancel={onClose} variant="danger" changes={false}>
          Allow changes
        </FormFooter>
      </Form>
    </Dialog>
  )
}
