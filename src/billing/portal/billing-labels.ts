/** Labels and texts of billing. */
import { currencyDecimals, formatMoney } from '../../kernel/money.ts'
import type { Quantity } from '../../ui/components/quantity.ts'
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { Invoice, InvoiceLine } from '../contract.ts'
import type { DunningStage } from '../states.ts'

/** Formats an amount for the screen, with a real minus sign. Files and emails keep the hyphen that programs read. */
export const money = (amount: number, currency: string): string =>
  formatMoney({ amount, currency }).replace('-', '\u2212')

/** Formats an amount for a chart axis: in full, or compact if it would not fit. */
export function moneyQuantity(amount: number, currency: string, like = amount): Quantity {
  const minor = 10 ** currencyDecimals(currency)
  const short = Math.abs(like) >= 10_000 * minor
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    ...(short && { notation: 'compact', maximumFractionDigits: 1 }),
  })
  return { number: format.format(amount / minor), unit: '' }
}

export const STATUS: Readonly<Record<Invoice['status'], { tone: Tone; label: string }>> = {
  DRAFT: { tone: 'busy', label: 'Checking' },
  OPEN: { tone: 'warn', label: 'Open' },
  PAID: { tone: 'ok', label: 'Paid' },
  VOID: { tone: 'off', label: 'Void' },
  UNCOLLECTIBLE: { tone: 'off', label: 'Written off' },
}

interface InvoiceState {
  readonly tone: Tone
  readonly label: string
  /** What the owner has to do now; null if nothing. */
  readonly asks: 'payment' | 'confirmation' | null
}

/** Describes an invoice to its owner: its status combined with its payments and the current date. */
export function invoiceState(invoice: Invoice, now: Date): InvoiceState {
  const { status, kind, payments, dueAt } = invoice
  if (kind === 'CREDIT_NOTE') return { tone: 'ok', label: 'Credited', asks: null }
  if (status !== 'OPEN') return { ...STATUS[status], asks: null }
  if (payments.some((payment) => payment.dispute === 'OPEN')) return { tone: 'waiting', label: 'Disputed', asks: null }
  if (payments.some((payment) => payment.status === 'ACTION_REQUIRED')) {
    return { tone: 'warn', label: 'Confirmation required', asks: 'confirmation' }
  }
  if (payments.some((payment) => payment.status === 'PENDING')) return { tone: 'busy', label: 'Processing', asks: null }
  const overdue = dueAt !== null && new Date(dueAt) < now
  return overdue ? { tone: 'bad', label: 'Overdue', asks: 'payment' } : { ...STATUS.OPEN, asks: 'payment' }
}

export const invoiceName = ({ kind, number }: Invoice): string =>
  `${kind === 'INVOICE' ? 'Invoice' : 'Credit note'} ${number ?? '(draft)'}`

/** Phrases that follow "On 3 May, …". */
export const STAGE_LABELS: Readonly<Record<DunningStage, string>> = {
  CURRENT: 'your account is in good standing',
  REMINDED: 'we send a reminder',
  WARNED: 'we send a last warning',
  DRAINED: 'your prefixes are announced as a last resort only',
  SESSIONS_DOWN: 'your BGP sessions are shut down',
  SUSPENDED: 'your routers are stopped',
  TERMINATED: 'your service ends',
}

/** What is switched off at each stage; earlier stages switch nothing off. */
const DISCOUNT_LABELS: Partial<Readonly<Record<DunningStage, string>>> = {
  DRAINED: 'Your prefixes are announced as a last resort only.',
  SESSIONS_DOWN: 'Your BGP sessions are shut down. Your routers are still running.',
  SUSPENDED: 'Your routers are stopped. Their disks are kept.',
  TERMINATED: 'Your service has ended. Your disks may be deleted at any time.',
}

/** Says what has happened so far and what paying does. */
export function billingStatusText(stage: DunningStage): string {
  const off = DISCOUNT_LABELS[stage]
  return off === undefined
    ? 'Pay it to avoid any interruption.'
    : `${off} Pay it to restore everything automatically within a minute.`
}

/** Formats `720 h × €0.01`; empty for a single item without a unit. */
export function quantityText({ kind, quantity, unit, unitPrice }: InvoiceLine, currency: string): string {
  if (unit === '') return kind === 'FEE' ? 'once' : ''
  return `${Math.round(quantity * 1000) / 1000} ${unit} × ${money(unitPrice, currency)}`
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Billing months are in UTC, whatever the reader's time zone. */
export const monthName = (at: string): string => MONTH.format(new Date(at))
