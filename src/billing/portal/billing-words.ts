/** How billing reads on screen. */
import { formatMoney } from '../../kernel/money.ts'
import type { Tone } from '../../portal/ui/StatusBadge.tsx'
import type { Invoice, InvoiceLine } from '../contract.ts'
import type { DunningStage } from '../states.ts'

export const money = (amount: number, currency: string): string => formatMoney({ amount, currency })

export const STATUS: Readonly<Record<Invoice['status'], { tone: Tone; word: string }>> = {
  DRAFT: { tone: 'busy', word: 'Being checked' },
  OPEN: { tone: 'warn', word: 'Open' },
  PAID: { tone: 'ok', word: 'Paid' },
  VOID: { tone: 'off', word: 'Void' },
  UNCOLLECTIBLE: { tone: 'off', word: 'Written off' },
}

/** In words that follow "On 3 May, …". */
export const STAGE_WORDS: Readonly<Record<DunningStage, string>> = {
  CLEAR: 'all is well again',
  REMINDED: 'we remind you',
  WARNED: 'you get a last warning',
  DRAINED: 'your transit is drained: announced as a last resort only',
  SHUT: 'your BGP sessions are closed',
  SUSPENDED: 'your routers are stopped',
  ENDED: 'your service ends',
}

/** `720 h × €0.01`, or nothing for what is one of itself. */
export function quantityText({ quantity, unit, unitPrice }: InvoiceLine, currency: string): string {
  if (unit === '') return ''
  return `${Math.round(quantity * 1000) / 1000} ${unit} × ${money(unitPrice, currency)}`
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Billing months are those of UTC, wherever the reader is. */
export const monthName = (at: string): string => MONTH.format(new Date(at))
