import { TextAreaField } from '../../../portal/ui/Field.tsx'
import { ACTING_REASON_MAX_LENGTH, ACTING_REASON_MIN_LENGTH } from '../../policy.ts'

export const ReasonField = () => (
  <TextAreaField
    label="Reason"
    name="reason"
    rows={3}
    required
    minLength={ACTING_REASON_MIN_LENGTH}
    maxLength={ACTING_REASON_MAX_LENGTH}
    hint="Shown to the customer with your name, in an email and in their activity."
  />
)
