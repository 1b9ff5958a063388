/** The seller and the buyer as printed on the invoice. */
import { countryName } from '../../../kernel/country.ts'

export interface Party {
  readonly name?: string | null
  readonly company: string | null
  readonly street: string | null
  readonly postalCode: string | null
  readonly city: string | null
  /** ISO 3166 country code of two letters. */
  readonly country: string | null
  readonly vatId: string | null
  readonly registration?: string | null
  /** The operator's own text at the time the invoice was issued. */
  readonly footer?: string | null
}

export const addressLines = (party: Party): string[] =>
  [
    party.company,
    party.name,
    party.street,
    [party.postalCode, party.city].filter(Boolean).join(' '),
    party.country && countryName(party.country),
    party.vatId && `VAT ${party.vatId}`,
  ].filter((line): line is string => Boolean(line))
