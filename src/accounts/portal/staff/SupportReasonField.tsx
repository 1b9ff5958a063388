import { TextAreaField } from '../../../ui/components/Field.tsx'
import { SUPPORT_REASON_MAX_LENGTH, SUPPORT_REASON_MIN_LENGTH } from '../../policy.ts'

export const SupportReasonField = ({
  label = 'Reason',
  name = 'reason',
  hint,
}: {
  label?: string
  name?: string
  /** Says who can read the reason. */
  hint: string
}) => (
  <TextAreaField
    label={label}
    name={name}
    rows={3}
    required
    minLength={SUPPORT_REASON_MIN_LENGTH}
    maxLength={SUPPORT_REASON_MAX_LENGTH}
    hint={hint}
  />
)
