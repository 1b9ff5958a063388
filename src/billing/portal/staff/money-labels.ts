/** Formats and parses amounts for the staff pages. */
import { currencyDecimals } from '../../../kernel/money.ts'
import { calendarDayOfUtc } from '../../../ui/components/relative-time.ts'
import type { Pattern } from '../../../ui/components/Field.tsx'
import type { Tone } from '../../../ui/components/StatusBadge.tsx'
import type { DunningStage, InvoiceFilter, LineKind } from '../../states.ts'

export { money as moneyText, moneyQuantity, monthName, quantityText } from '../billing-labels.ts'

export const KIND_LABELS: Readonly<Record<LineKind, string>> = {
  ROUTER: 'Routers',
  CAP: 'Monthly caps',
  ADDRESS: 'Addresses',
  COMMIT: 'Transit commits',
  OVERAGE: 'Transit overage',
  FEE: 'Fees',
  DISCOUNT: 'Discounts',
  CREDIT: 'Credits',
}

export const FILTER_BADGE: Readonly<Record<InvoiceFilter, { tone: Tone; label: string }>> = {
  OPEN: { tone: 'warn', label: 'Open' },
  OVERDUE: { tone: 'bad', label: 'Overdue' },
  PAID: { tone: 'ok', label: 'Paid' },
  UNCOLLECTIBLE: { tone: 'off', label: 'Written off' },
  DRAFT: { tone: 'waiting', label: 'Draft' },
  VOID: { tone: 'off', label: 'Void' },
}

export const STAGE_BADGE: Readonly<Record<DunningStage, { tone: Tone; label: string; what: string }>> = {
  CURRENT: { tone: 'ok', label: 'In good standing', what: 'Nothing is overdue.' },
  REMINDED: { tone: 'warn', label: 'Reminded', what: 'A reminder has been sent. All services are running.' },
  WARNED: { tone: 'warn', label: 'Last warning', what: 'The last warning has been sent. All services are running.' },
  DRAINED: { tone: 'bad', label: 'Transit drained', what: 'Prefixes are announced as a last resort.' },
  SESSIONS_DOWN: { tone: 'bad', label: 'Transit suspended', what: 'BGP sessions are shut down. Routers are running.' },
  SUSPENDED: { tone: 'bad', label: 'Suspended', what: 'Transit is suspended and routers are stopped.' },
  TERMINATED: { tone: 'bad', label: 'Ended', what: 'Billing has stopped. Disks may be deleted.' },
}

/** Limits of an amount field. */
export interface AmountBounds {
  /** For fields in which zero would do nothing. */
  readonly aboveZero?: boolean
  /** For prices of the price list, which must fit into 31 bits of minor units. */
  readonly price?: boolean
}

/** Returns the pattern that a browser validates with; it accepts what `parseMoney` accepts. */
export function moneyPattern(currency: string, { aboveZero = false, price = false }: AmountBounds = {}): Pattern {
  const decimals = currencyDecimals(currency)
  const digits = price ? 9 - decimals : 9
  const above = aboveZero ? '(?!0+([.,]0*)?$)' : ''
  const bounds = [aboveZero && 'above 0', price && `below ${(10 ** digits).toLocaleString('en')}`].filter(Boolean)
  const kind = ['an amount', bounds.join(' and ')].filter(Boolean).join(' ')
  return decimals === 0
    ? { source: `${above}\\d{1,${digits}}`, takes: `Must be ${kind} without decimals, such as 1250.` }
    : {
        source: `${above}\\d{1,${digits}}([.,]\\d{0,${decimals}})?`,
        takes: `Must be ${kind}, such as 1250.${'50'.padEnd(decimals, '0')}.`,
      }
}

const PERCENT = '(100([.,]00?)?|\\d{1,2}([.,]\\d{1,2})?)'

export const PERCENT_PATTERN: Pattern = { source: PERCENT, takes: 'Must be 0 to 100, with up to two decimals.' }

/** A discount of zero is not allowed. */
export const DISCOUNT_PATTERN: Pattern = {
  source: `(?!0+([.,]0*)?$)${PERCENT}`,
  takes: 'Must be above 0 and up to 100, with up to two decimals.',
}

/** Parses a decimal with a point or a comma. The pattern has already validated it. */
export const readDecimal = (text: string): number => Number(text.replace(',', '.'))

/**
 * Parses `12.50` or `12,50` to minor units; null if it is no amount. It reads the digits, because multiplying a
 * fraction is not exact.
 */
export function parseMoney(text: string, currency: string): number | null {
  const decimals = currencyDecimals(currency)
  const found = /^(\d{1,9})(?:[.,](\d*))?$/.exec(text.trim())
  if (!found || (found[2] ?? '').length > decimals) return null
  return Number(found[1]! + (found[2] ?? '').padEnd(decimals, '0'))
}

/** Formats an amount for prefilling an input. */
export function plainMoney(amount: number, currency: string): string {
  const decimals = currencyDecimals(currency)
  const digits = String(amount).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Formats a day of a month in UTC, which billing uses, without the year. */
export const dayText = (at: string): string => calendarDayOfUtc(new Date(at)).slice(0, -' 2026'.length)

/** Returns the date in this many days as `YYYY-MM-DD`, for the minimum and maximum of a field. */
export const dayFromNow = (days: number, now = new Date()): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
