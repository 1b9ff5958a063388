/** How billing reads on screen. */
import { currencyDecimals, formatMoney } from '../../kernel/money.ts'
import type { Quantity } from '../../ui/components/quantity.ts'
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { Invoice, InvoiceLine } from '../contract.ts'
import type { DunningStage } from '../states.ts'

export const money = (amount: number, currency: string): string => formatMoney({ amount, currency })

/** An amount for the scale of a picture: written as everywhere, and shortened where it would not fit. */
export function moneyQuantity(amount: number, currency: string): Quantity {
  const units = amount / 10 ** currencyDecimals(currency)
  const short = Math.abs(units) >= 10_000
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    ...(short && { notation: 'compact', maximumFractionDigits: 1 }),
  })
  return { number: format.format(units), unit: '' }
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
  /** Whether its owner can pay it now, and what is still asked of them. */
  readonly asks: 'payment' | 'confirmation' | null
}

/** What its status means to its owner, with what its payments and the day add to that. */
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

/** In words that follow "On 3 May, …". */
export const STAGE_LABELS: Readonly<Record<DunningStage, string>> = {
  CURRENT: 'your account is in good standing',
  REMINDED: 'we send a reminder',
  WARNED: 'we send a last warning',
  DRAINED: 'your prefixes are announced as a last resort only',
  SESSIONS_DOWN: 'your BGP sessions are shut down',
  SUSPENDED: 'your routers are stopped',
  TERMINATED: 'your service ends',
}

/** What is off by now; of the stages before, nothing is. */
const DISCOUNT_LABELS: Partial<Readonly<Record<DunningStage, string>>> = {
  DRAINED: 'Your prefixes are announced as a last resort only.',
  SESSIONS_DOWN: 'Your BGP sessions are shut down. Your routers are still running.',
  SUSPENDED: 'Your routers are stopped. Their disks are kept.',
  TERMINATED: 'Your service has ended. Your disks may be deleted at any time.',
}

/** What happened so far, and what paying does. */
export function billingStatusText(stage: DunningStage): string {
  const off = DISCOUNT_LABELS[stage]
  return off === undefined
    ? 'Pay it to avoid any interruption.'
    : `${off} Pay it to restore everything automatically within a minute.`
}

/** `720 h × €0.01`; nothing for what is one of itself. */
export function quantityText({ kind, quantity, unit, unitPrice }: InvoiceLine, currency: string): string {
  if (unit === '') return kind === 'FEE' ? 'once' : ''
  return `${Math.round(quantity * 1000) / 1000} ${unit} × ${money(unitPrice, currency)}`
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Billing months are those of UTC, wherever the reader is. */
export const monthName = (at: string): string => MONTH.format(new Date(at))
