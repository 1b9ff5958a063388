/** Describes the expected invoice of the month in a sentence. */
import type { BillingOverview, PaymentMethod } from '../contract.ts'
import { money } from './billing-labels.ts'
import { cardName } from './card-labels.ts'

export type CustomerTax = BillingOverview['tax']

/** Rounds to the minor unit, like the invoice. */
export const withTax = (amount: number, tax: CustomerTax): number =>
  amount + Math.round((amount * (tax?.rate ?? 0)) / 100)

/** Says which tax the amount before it includes. */
export function taxLabel(tax: CustomerTax): string {
  if (tax === null) return 'before VAT (your VAT ID is being checked)'
  return tax.rate > 0 ? `including ${tax.rate} % VAT` : 'without VAT'
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/** Returns null while there is nothing to pay. */
export function billInWords(
  { currency, month, balance, tax }: Pick<BillingOverview, 'currency' | 'month' | 'balance' | 'tax'>,
  methods: readonly Pick<PaymentMethod, 'brand' | 'last4' | 'isDefault'>[],
): string | null {
  const total = withTax(month.projected, tax)
  if (total === 0) return null
  const credit = Math.min(total, Math.max(0, -balance))
  const card = methods.find(({ isDefault }) => isDefault)
  const due = `About ${money(total, currency)} ${taxLabel(tax)} is due on ${DAY.format(new Date(month.to))}.`
  if (credit === total) return `${due} Your credit covers it.`
  const rest = credit > 0 ? `After your credit, ${money(total - credit, currency)}` : 'It'
  return `${due} ${rest} ${card ? `will be charged to ${cardName(card)}` : 'can’t be charged yet: add a card'}.`
}
