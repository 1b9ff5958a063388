/** What all parts of an invoice on paper share. */
import type PDFDocument from 'pdfkit'
import { COLORS } from '../../../platform/pdf-colors.ts'
import type { InvoiceRow, LineRow } from '../view.ts'

export type Pdf = InstanceType<typeof PDFDocument>

export interface InvoicePdf {
  readonly invoice: InvoiceRow
  readonly lines: readonly LineRow[]
  /** Of a credit note: the number of the invoice that it corrects. */
  readonly corrects: string | null
  readonly productName: string
  readonly supportEmail: string
}

export const LEFT = 56
export const RIGHT = 539
export const WIDTH = RIGHT - LEFT

export function rule(pdf: Pdf, y: number): void {
  pdf.strokeColor(COLORS.rule).lineWidth(0.5).moveTo(LEFT, y).lineTo(RIGHT, y).stroke()
}

export const titleOf = ({ kind, number }: InvoiceRow): string =>
  number === null ? 'Draft of an invoice' : `${kind === 'INVOICE' ? 'Invoice' : 'Credit note'} ${number}`
