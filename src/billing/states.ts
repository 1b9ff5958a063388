/** Value lists of billing. Browser-safe. */

export const INVOICE_STATUSES = ['DRAFT', 'OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]
/** Completes a sentence that begins with "this invoice is". */
export const INVOICE_LABELS: Readonly<Record<InvoiceStatus, string>> = {
  DRAFT: 'a draft',
  OPEN: 'open',
  PAID: 'paid',
  VOID: 'void',
  UNCOLLECTIBLE: 'written off',
}
/** The filters that staff use: an overdue invoice is still `OPEN`. */
export const INVOICE_FILTERS = [...INVOICE_STATUSES, 'OVERDUE'] as const
export type InvoiceFilter = (typeof INVOICE_FILTERS)[number]

/** Columns that staff can sort invoices by: each has an index, which is read in either direction. */
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
/** Completes a sentence that begins with "this payment". */
export const PAYMENT_LABELS: Readonly<Record<PaymentStatus, string>> = {
  PENDING: 'is under way',
  ACTION_REQUIRED: 'waits for the holder of the card',
  SUCCEEDED: 'succeeded',
  DECLINED: 'was declined',
  FAILED: 'failed',
}

/** Which direction of a slot is billed: the larger one, their sum, or each separately with the higher percentile. */
export const DIRECTIONS = ['MAX', 'SUM', 'SEPARATE'] as const
export type Direction = (typeof DIRECTIONS)[number]

export const VAT_STATUSES = ['NONE', 'PENDING', 'VALID', 'INVALID'] as const
export type VatStatus = (typeof VAT_STATUSES)[number]

export const TAX_RULES = ['NONE', 'DOMESTIC', 'ONE_STOP_SHOP', 'REVERSE_CHARGE', 'OUTSIDE'] as const
export type TaxRule = (typeof TAX_RULES)[number]

export const DISCOUNT_SCOPES = ['ALL', 'ROUTERS', 'TRANSIT'] as const
export type DiscountScope = (typeof DISCOUNT_SCOPES)[number]

/** From paid to terminated, in order. Each ends as soon as nothing is overdue. */
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
/** Returns true if the stage affects services; the earlier stages only send emails. */
export const switchesOff = (stage: DunningStage): boolean =>
  DUNNING_STAGES.indexOf(stage) >= DUNNING_STAGES.indexOf('DRAINED')
