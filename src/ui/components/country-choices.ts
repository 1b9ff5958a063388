import { COUNTRY_CODES, countryName } from '../../kernel/country.ts'
import type { Choice } from './Field.tsx'

/** Sorted by name. A saved value stays a choice even if it is not in this list. */
export function countryChoices(kept: string, none: string): readonly Choice[] {
  const codes = kept === '' || COUNTRY_CODES.includes(kept) ? COUNTRY_CODES : [kept, ...COUNTRY_CODES]
  const choices = codes.map((code) => ({ value: code, label: countryName(code) }))
  return [{ value: '', label: none }, ...choices.toSorted((a, b) => a.label.localeCompare(b.label, 'en'))]
}
