/** Types and measures shared by all parts of the invoice PDF. */
import type { InvoiceRow, LineRow } from '../view.ts'

export interface InvoicePdf {
  readonly invoice: InvoiceRow
  readonly lines: readonly LineRow[]
  /** On a credit note: the number of the invoice that it corrects. */
  readonly corrects: string | null
  readonly productName: string
  readonly supportEmail: string
}

export const titleOf = ({ kind, number }: InvoiceRow): string =>
  number === null ? 'Draft of an invoice' : `${kind === 'INVOICE' ? 'Invoice' : 'Credit note'} ${number}`
