import { useState } from 'react'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../policy.ts'
import { TextField } from '../../ui/components/Field.tsx'

/** A password field that can show its text, which beats typing a hidden password twice. */
export function PasswordField({
  purpose,
  label = 'Password',
  defaultValue,
}: {
  purpose: 'current' | 'new'
  label?: string
  defaultValue?: string | undefined
}) {
  const [shown, setShown] = useState(false)
  const rules = purpose === 'new' ? { minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH } : {}
  return (
    <TextField
      label={label}
      name="password"
      type={shown ? 'text' : 'password'}
      autoComplete={`${purpose}-password`}
      required
      defaultValue={defaultValue}
      spellCheck={false}
      autoCapitalize="none"
      hint={
        purpose === 'new'
          ? `At least ${PASSWORD_MIN_LENGTH} characters. A few words are stronger than one word with symbols.`
          : undefined
      }
      trailing={
        <button
          type="button"
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="h-7 rounded-sm px-2 text-xs font-medium text-dim hover:bg-hover hover:text-ink"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
      {...rules}
    />
  )
}
