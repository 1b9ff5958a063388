/** Value lists of billing. Browser-safe. */

export const INVOICE_STATUSES = ['DRAFT', 'OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]
/** As a sentence goes on after "this invoice is". */
export const INVOICE_LABELS: Readonly<Record<InvoiceStatus, string>> = {
  DRAFT: 'a draft',
  OPEN: 'open',
  PAID: 'paid',
  VOID: 'void',
  UNCOLLECTIBLE: 'written off',
}
/** As staff narrows the list: an invoice that is overdue is still `OPEN`. */
export const INVOICE_FILTERS = [...INVOICE_STATUSES, 'OVERDUE'] as const
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number]

/** What staff sort invoices by: each is the order of an index, read from either end. */
export const INVOICE_SORT_COLUMNS = ['issued', 'total'] as const
export type InvoiceSortColumn = (typeof INVOICE_SORT_COLUMNS)[number]
export type InvoiceSort = InvoiceSortColumn | `-${InvoiceSortColumn}`
export const INVOICE_SORTS = INVOICE_SORT_COLUMNS.flatMap((column): InvoiceSort[] => [column, `-${column}`])

export const INVOICE_KINDS = ['INVOICE', 'CREDIT_NOTE'] as const
export const INVOICE_REASONS = ['MONTHLY', 'CLOSING', 'CORRECTION'] as const

export const LINE_KINDS = ['ROUTER', 'CAP', 'ADDRESS', 'COMMIT', 'OVERAGE', 'FEE', 'DISCOUNT', 'CREDIT'] as const
export type LineKind = (typeof LINE_KINDS)[number]

export const PAYMENT_STATUSES = ['PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED', 'FAILED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
/** As a sentence goes on after "this payment". */
export const PAYMENT_LABELS: Readonly<Record<PaymentStatus, string>> = {
  PENDING: 'is under way',
  ACTION_REQUIRED: 'waits for the holder of the card',
  SUCCEEDED: 'succeeded',
  DECLINED: 'was declined',
  FAILED: 'failed',
}

/**
 * Which of the two directions of a slot is billed: the greater of them, their sum, or each direction on its own with
 * the greater percentile counting.
 */
export const DIRECTIONS = ['MAX', 'SUM', 'SEPARATE'] as const
export type Direction = (typeof DIRECTIONS)[number]

export const VAT_STATUSES = ['NONE', 'PENDING', 'VALID', 'INVALID'] as const
export type VatStatus = (typeof VAT_STATUSES)[number]

export const TAX_RULES = ['NONE', 'DOMESTIC', 'ONE_STOP_SHOP', 'REVERSE_CHARGE', 'OUTSIDE'] as const
export type TaxRule = (typeof TAX_RULES)[number]

export const DISCOUNT_SCOPES = ['ALL', 'ROUTERS', 'TRANSIT'] as const
export type DiscountScope = (typeof DISCOUNT_SCOPES)[number]

/** From paid to ended, in order. Each is left as soon as nothing overdue is open. */
export const DUNNING_STAGES = [
  'CURRENT',
  'REMINDED',
  'WARNED',
  'DRAINED',
  'SESSIONS_DOWN',
  'SUSPENDED',
  'TERMINATED',
] as const
export type DunningStage = (typeof DUNNING_STAGES)[number]
/** The earlier stages only send emails. */
export const switchesOff = (stage: DunningStage): boolean =>
  DUNNING_STAGES.indexOf(stage) >= DUNNING_STAGES.indexOf('DRAINED')
