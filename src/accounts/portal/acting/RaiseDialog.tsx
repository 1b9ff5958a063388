import { explainFailure } from '../../../portal/explain-failure.ts'
import { refreshUser } from '../../../portal/session.ts'
import { Dialog } from '../../../portal/ui/Dialog.tsx'
import { Form, type FormValues, type Submission } from '../../../portal/ui/Form.tsx'
import { FormFoot } from '../../../portal/ui/FormFoot.tsx'
import { RAISED_MINUTES } from '../../policy.ts'
import { accounts } from '../api.ts'
import { useProve } from '../proof/prove.ts'
import { ReasonField } from './ReasonField.tsx'

/** From looking to changing: another reason, and once more the proof of who sits here. */
export function RaiseDialog({ customer, onClose }: { customer: string; onClose: () => void }) {
  const prove = useProve()
  const raise = async (values: FormValues, submission: Submission) => {
    if (!(await prove())) return
    await accounts.call['POST /api/acting/raise']({ body: { reason: values.text('reason') } }, submission)
    await refreshUser()
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`Allow changes for ${customer}`}>
      <Form onSubmit={raise} explain={explainFailure}>
        <p>
          For {RAISED_MINUTES} minutes. Each change is listed in {customer}’s activity with your name. You cannot access
          their sign-in settings, payment methods or router consoles.
        </p>
        <ReasonField />
        <FormFoot onCancel={onClose} look="danger" changes={false}>
          Allow changes
        </FormFoot>
      </Form>
    </Dialog>
  )
}
