import { INVOICE_FILTERS, type InvoiceFilter } from '../../states.ts'

/** In the order in which staff check them. */
export const FILTERS: readonly InvoiceFilter[] = ['OPEN', 'OVERDUE', 'PAID', 'UNCOLLECTIBLE', 'DRAFT']

export interface InvoiceSearch {
  readonly status?: InvoiceFilter
  readonly user?: number
}

/** Reads the filters from the search parameters and ignores anything else. */
export function readInvoiceSearch({ status, user }: Record<string, unknown>): InvoiceSearch {
  const wanted = typeof status === 'string' ? status.toUpperCase() : ''
  const known = INVOICE_FILTERS.find((one) => one === wanted)
  return {
    ...(known && { status: known }),
    ...(typeof user === 'number' && Number.isSafeInteger(user) && user > 0 && { user }),
  }
}

/** True if the invoice is open and was due before now. */
export const isOverdue = (invoice: { status: string; dueAt: string | null }, now = Date.now()): boolean =>
  invoice.status === 'OPEN' && invoice.dueAt !== null && Date.parse(invoice.dueAt) < now
