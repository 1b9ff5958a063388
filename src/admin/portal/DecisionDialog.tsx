import { explainFailure } from '../../portal/explain-failure.ts'
import { Dialog } from '../../portal/ui/Dialog.tsx'
import { TextAreaField } from '../../portal/ui/Field.tsx'
import { Form, type FormValues, type Submission } from '../../portal/ui/Form.tsx'
import { FormFoot } from '../../portal/ui/FormFoot.tsx'
import type { AdminTransitPrefix } from '../../transit/contract.ts'
import type { StaffAction } from '../../transit/states.ts'
import { DECISIONS } from './prefix-decisions.ts'
import { CHECK_LOOK } from '../../transit/portal/prefix-words.ts'

/** A decision that deserves a sentence: what follows from it, and why it is taken. */
export function DecisionDialog({
  prefix,
  action,
  onClose,
  onDecide,
}: {
  prefix: AdminTransitPrefix
  action: StaffAction
  onClose: () => void
  onDecide: (reason: string, submission: Submission) => Promise<void>
}) {
  const { label, deed, consequence } = DECISIONS[action]
  const submit = async (values: FormValues, submission: Submission) => {
    await onDecide(values.text('reason'), submission)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`${label} ${prefix.value}`}>
      <Form onSubmit={submit} explain={explainFailure}>
        {action === 'approve' && (
          <p>
            RPKI: {CHECK_LOOK[prefix.rpkiStatus].word.toLowerCase()}. IRR:{' '}
            {CHECK_LOOK[prefix.irrStatus].word.toLowerCase()}.
          </p>
        )}
        <p>{consequence}</p>
        <TextAreaField
          label="Reason"
          name="reason"
          rows={3}
          maxLength={500}
          required={action !== 'approve'}
          hint={
            action === 'approve'
              ? 'Required because checks failed. Visible to the customer.'
              : 'Visible to the customer: say what they need to fix.'
          }
        />
        <FormFoot onCancel={onClose} look={action === 'approve' ? 'primary' : 'danger'}>
          {deed}
        </FormFoot>
      </Form>
    </Dialog>
  )
}
