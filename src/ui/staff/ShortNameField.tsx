import { TextField } from '../components/Field.tsx'

const PATTERN = { source: '[a-z0-9\\-]{1,40}', takes: 'Must be 1 to 40 lowercase letters, digits or hyphens.' }

/** `knownBy`: who knows it by this name, as the continuation of a sentence after a colon. */
export function ShortNameField({
  knownBy,
  placeholder,
  proposed,
}: {
  knownBy?: string
  placeholder?: string
  proposed?: string
}) {
  return (
    <TextField
      label="Short name"
      name="slug"
      mono
      required
      maxLength={40}
      pattern={PATTERN}
      hint={`Lowercase letters, digits and hyphens. Can’t be changed later${knownBy ? `: ${knownBy}` : ''}.`}
      {...(placeholder && { placeholder })}
      {...(proposed !== undefined && { defaultValue: proposed })}
    />
  )
}
