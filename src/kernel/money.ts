/** An amount in integer minor units (cents) of an ISO 4217 currency. Never a float. */
export interface Money {
  readonly amount: number
  readonly currency: string
}

/** Decimal places of the currencies an operator bills in; ISO 4217 says two unless listed. */
const DECIMALS: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  ISK: 0,
  CLP: 0,
  VND: 0,
  BHD: 3,
  KWD: 3,
  JOD: 3,
  TND: 3,
}

export const currencyDecimals = (currency: string): number => DECIMALS[currency] ?? 2

/** `{ amount: 1250, currency: 'EUR' }` as `€12.50` in the reader's locale. */
export function formatMoney(money: Money, locale = 'en'): string {
  const decimals = currencyDecimals(money.currency)
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: decimals,
  }).format(money.amount / 10 ** decimals)
}
