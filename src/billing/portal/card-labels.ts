/** Texts about cards. */
import type { PaymentMethod } from '../contract.ts'

const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** `Visa 4242` */
export const cardName = ({ brand, last4 }: Pick<PaymentMethod, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? brand} ${last4}`

export const expiryText = ({ expMonth, expYear }: Pick<PaymentMethod, 'expMonth' | 'expYear'>): string =>
  `${String(expMonth).padStart(2, '0')}/${expYear}`

/** A card is valid through the last day of its month; its owner is told this many days before. */
const SOON_DAYS = 45

export function expiry(card: Pick<PaymentMethod, 'expMonth' | 'expYear'>, now: Date): 'good' | 'soon' | 'past' {
  const end = Date.UTC(card.expYear, card.expMonth, 1)
  const days = (end - now.getTime()) / 86_400_000
  return days <= 0 ? 'past' : days <= SOON_DAYS ? 'soon' : 'good'
}
