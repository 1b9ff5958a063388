import { TextField } from '../../ui/components/Field.tsx'
import { EMAIL_MAX_LENGTH } from '../policy.ts'

export const EmailField = ({ hint }: { hint?: string }) => (
  <TextField
    label="Email"
    name="email"
    type="email"
    autoComplete="username"
    inputMode="email"
    required
    maxLength={EMAIL_MAX_LENGTH}
    hint={hint}
  />
)
