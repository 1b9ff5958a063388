import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'
import type { StaffAction } from '../../states.ts'
import { DECISIONS } from './prefix-decisions.ts'
import { CHECK_BADGE } from '../prefix-labels.ts'

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
  const { label, verb, consequence } = DECISIONS[action]
  const submit = async (values: FormValues, submission: Submission) => {
    await onDecide(values.text('reason'), submission)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={`${label} ${prefix.value}`}>
      <Form onSubmit={submit} explain={explainFailure}>
        {action === 'approve' && (
          <p>
            RPKI: {CHECK_BADGE[prefix.rpkiStatus].label.toLowerCase()}. IRR:{' '}
            {CHECK_BADGE[prefix.irrStatus].label.toLowerCase()}.
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
        <FormFooter onCancel={onClose} variant={action === 'approve' ? 'primary' : 'danger'}>
          {verb}
        </FormFooter>
      </Form>
    </Dialog>
  )
}
