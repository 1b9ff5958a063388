import { TextAreaField, TextField } from '../../../portal/ui/Field.tsx'
import type { Texts } from '../../texts/contract.ts'
import { WORDS, type Word } from './text-fields.ts'

/** One of the operator's own words; empty, the product's stand in its place. */
export function WordField({ name, texts, placeholder }: { name: Word; texts: Texts; placeholder?: string }) {
  const { kind, most, ...words } = WORDS[name]
  const field = { ...words, name, optional: true, maxLength: most, defaultValue: texts[name] ?? '' }
  return kind === 'text' ? (
    <TextAreaField {...field} rows={2} />
  ) : (
    <TextField {...field} type={kind} placeholder={placeholder ?? 'https://…'} />
  )
}
