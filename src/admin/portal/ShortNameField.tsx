import { TextField } from '../../portal/ui/Field.tsx'

const PATTERN = { source: '[a-z0-9\\-]{1,40}', takes: 'Takes 1 to 40 small letters, digits and hyphens' }

/** `knownBy`: who knows it by this name, as a sentence goes on after the colon. */
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
      hint={`Small letters, digits and hyphens. It never changes${knownBy ? `: ${knownBy}` : ''}.`}
      {...(placeholder && { placeholder })}
      {...(proposed !== undefined && { defaultValue: proposed })}
    />
  )
}
