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
  return tax.rate > 0 ? `including ${tax.rate}% VAT` : 'without VAT'
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
  const amount = `On ${DAY.format(new Date(month.to))} about ${money(total, currency)} ${taxLabel(tax)}`
  if (credit === total) return `${amount}, covered by your credit.`
  const less = credit > 0 ? `, ${money(total - credit, currency)} of it after your credit` : ''
  return `${amount}${less}, ${card ? `charged to ${cardName(card)}` : 'with no card to charge yet'}.`
}
