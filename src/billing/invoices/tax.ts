/**
 * Decides the tax of an invoice. Between businesses, the place of supply of online services is the customer's country
 * (Directive 2006/112/EC article 44, reverse charge by article 196). For consumers in the EU it is where they live
 * (article 58), or the supplier's country below the threshold of article 59c. Owing tax that was never charged is
 * worse than refunding tax, so in doubt the supplier's own rate applies.
 */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { EU_MEMBERS } from '../../kernel/country.ts'
import type { BillingCustomer } from '../customers/customers.ts'
import type { Settings } from '../settings.ts'
import type { TaxRule } from '../states.ts'
import '../tables.ts'

export interface Tax {
  readonly rule: TaxRule
  /** Hundredths of a percent. */
  readonly rate: number
}

/** Rates by country, as in force on the day. */
export type TaxRates = ReadonlyMap<string, number>

export async function readTaxRates(db: Db, day: Date): Promise<TaxRates> {
  const rows = await db
    .selectFrom('tax_rates')
    .distinctOn('country')
    .select(['country', 'rate'])
    .where('effective_from', '<=', sql<string>`${day.toISOString().slice(0, 10)}::date`)
    .orderBy('country')
    .orderBy('effective_from', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.country, row.rate]))
}

/**
 * Services invoiced by the month are supplied at its end, so the rate of that day applies (Directive 2006/112/EC
 * articles 64 and 93). It applies even if the invoice is issued much later.
 */
export const taxDayOf = (period: { readonly to: Date }): Date => new Date(period.to.getTime() - 1)

type Buyer = Pick<BillingCustomer, 'country' | 'vat_id' | 'vat_status'>
type Seller = Pick<Settings, 'charges_tax' | 'country' | 'one_stop_shop'>

/** Returns `PENDING` if it depends on a VAT id that the registry has not checked yet. */
export function decideTax(seller: Seller, buyer: Buyer, rates: TaxRates): Tax | 'PENDING' {
  if (!seller.charges_tax || !seller.country) return { rule: 'NONE', rate: 0 }
  const domestic: Tax = { rule: 'DOMESTIC', rate: rates.get(seller.country) ?? 0 }
  if (!buyer.country || buyer.country === seller.country) return domestic
  if (!EU_MEMBERS.has(buyer.country) || !EU_MEMBERS.has(seller.country)) return { rule: 'OUTSIDE', rate: 0 }
  if (buyer.vat_id && countryOf(buyer.vat_id) === buyer.country) {
    if (buyer.vat_status === 'VALID') return { rule: 'REVERSE_CHARGE', rate: 0 }
    if (buyer.vat_status === 'PENDING') return 'PENDING'
  }
  const theirs = rates.get(buyer.country)
  return seller.one_stop_shop && theirs !== undefined ? { rule: 'ONE_STOP_SHOP', rate: theirs } : domestic
}

/** The registry writes EL for Greece (ISO 3166: GR). XI is Northern Ireland for goods only, so it never matches. */
const countryOf = (vatId: string): string => (vatId.startsWith('EL') ? 'GR' : vatId.slice(0, 2))

/** The tax if the registry has not answered: the VAT id is ignored. */
export const taxWithoutVatId = (seller: Seller, buyer: Buyer, rates: TaxRates): Tax =>
  decideTax(seller, { ...buyer, vat_id: null, vat_status: 'NONE' }, rates) as Tax

/** Text that the law requires on the invoice; null if none. */
export const TAX_NOTES: Readonly<Record<TaxRule, string | null>> = {
  NONE: null,
  DOMESTIC: null,
  ONE_STOP_SHOP: null,
  REVERSE_CHARGE: 'Reverse charge: the customer accounts for the tax (Directive 2006/112/EC, article 196).',
  OUTSIDE: 'Not subject to tax here: the place of supply is outside (Directive 2006/112/EC, articles 44 and 59).',
}
