import { TextField } from '../../ui/components/Field.tsx'
import { EMAIL_MAX_LENGTH } from '../policy.ts'

export const EmailField = ({ hint, defaultValue }: { hint?: string; defaultValue?: string | undefined }) => (
  <TextField
    label="Email"
    name="email"
    type="email"
    autoComplete="username"
    inputMode="email"
    required
    maxLength={EMAIL_MAX_LENGTH}
    hint={hint}
    defaultValue={defaultValue}
  />
)
