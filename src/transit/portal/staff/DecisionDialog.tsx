import { explainFailure } from '../../../ui/runtime/explain-failure.ts'
import { Dialog } from '../../../ui/components/Dialog.tsx'
import { TextAreaField } from '../../../ui/components/Field.tsx'
import { Form, type FormValues, type Submission } from '../../../ui/components/Form.tsx'
import { FormFooter } from '../../../ui/components/FormFooter.tsx'
import type { AdminTransitPrefix } from '../../contract.ts'
import type { StaffAction } from '../../states.ts'
import { DECISIONS } from './prefix-decisions.ts'
import { CHECK_BADGE } from '../prefix-labels.ts'

function TwoPeople({ approval: { people, given } }: Pick<AdminTransitPrefix, 'approval'>) {
  if (people < 2) return null
  const [first] = given
  return (
    <p>
      {first
        ? `Two people have to approve it. ${first.email} did: “${first.reason}”`
        : 'Two people have to approve it. You are the first; nothing changes until the second one does.'}
    </p>
  )
}

/** Confirms a decision that needs a sentence: shows its consequence and asks for the reason. */
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
        {action === 'approve' && <TwoPeople approval={prefix.approval} />}
        <p>{consequence}</p>
        <TextAreaField
          label="Reason"
          name="reason"
          rows={3}
          maxLength={500}
          required={action !== 'approve' || prefix.approval.reasonRequired}
          hint={
            action === 'approve'
              ? `${prefix.approval.why ? `Required: ${prefix.approval.why}` : 'Optional.'} Visible to the customer.`
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
