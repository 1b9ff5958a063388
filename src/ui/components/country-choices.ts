import { COUNTRY_CODES, countryName } from '../../kernel/country.ts'
import type { Choice } from './Field.tsx'

/** By name. What is kept already stays a choice, though its letters be from another list. */
export function countryChoices(kept: string, none: string): readonly Choice[] {
  const codes = kept === '' || COUNTRY_CODES.includes(kept) ? COUNTRY_CODES : [kept, ...COUNTRY_CODES]
  const choices = codes.map((code) => ({ value: code, label: countryName(code) }))
  return [{ value: '', label: none }, ...choices.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))]
}
