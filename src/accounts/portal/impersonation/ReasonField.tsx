import { TextAreaField } from '../../../ui/components/Field.tsx'
import { IMPERSONATION_REASON_MAX_LENGTH, IMPERSONATION_REASON_MIN_LENGTH } from '../../policy.ts'

export const ReasonField = () => (
  <TextAreaField
    label="Reason"
    name="reason"
    rows={3}
    required
    minLength={IMPERSONATION_REASON_MIN_LENGTH}
    maxLength={IMPERSONATION_REASON_MAX_LENGTH}
    hint="Shown to the customer with your name, in an email and in their activity."
  />
)
