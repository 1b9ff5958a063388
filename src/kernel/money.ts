/** An amount in integer minor units (cents) of an ISO 4217 currency. Never a float. */
export interface Money {
  readonly amount: number
  readonly currency: string
}

/** Currencies whose minor unit is not a hundredth (ISO 4217 list one, 2026). */
const WITHOUT_MINOR = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const IN_THOUSANDTHS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

export function currencyDecimals(currency: string): number {
  if (WITHOUT_MINOR.includes(currency)) return 0
  return IN_THOUSANDTHS.includes(currency) ? 3 : 2
}

/** Formats `{ amount: 1250, currency: 'EUR' }` as `€12.50` in the reader's locale. */
export function formatMoney(money: Money, locale = 'en'): string {
  const decimals = currencyDecimals(money.currency)
  // Text with an exponent is exact; a division by 100 is not.
  const value = `${money.amount}E-${decimals}` as `${number}`
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: decimals,
  }).format(value)
}
