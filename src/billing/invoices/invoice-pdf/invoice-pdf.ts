/** An invoice as PDF: A4, plain, complete (Directive 2006/112/EC article 226). */
import { formatMoney } from '../../../kernel/money.ts'
import { LEFT, renderPdf, RIGHT, rule, WIDTH, type Pdf } from '../../../platform/pdf/page.ts'
import { write, type TextStyle } from '../../../platform/pdf/write.ts'
import { COLORS } from '../../../platform/pdf-colors.ts'
import { drawFooters, measureFooters } from './footer.ts'
import { drawLines } from './items.ts'
import { addressLines, type Party } from './parties.ts'
import { titleOf, type InvoicePdf } from './layout.ts'
import { TAX_NOTES } from '../tax.ts'
import type { InvoiceRow } from '../view.ts'

export function invoicePdf(source: InvoicePdf): Promise<Buffer> {
  const { invoice } = source
  const about = {
    title: titleOf(invoice),
    author: (invoice.seller as Party).company ?? source.productName,
    createdAt: invoice.issued_at ?? invoice.created_at,
  }
  return renderPdf(about, (document) => {
    drawHead(document, source)
    const footers = measureFooters(document, source)
    drawLines(document, source, footers.top)
    drawSums(document, source)
    drawFooters(document, source, footers)
  })
}

/** Writes the blocks below each other, each at its own height. Returns where they end. */
function writeAll(
  pdf: Pdf,
  lines: readonly string[],
  x: number,
  y: number,
  style: TextStyle & { boldFirst?: boolean },
) {
  return lines.reduce(
    (at, line, index) => write(pdf, line, x, at, { ...style, bold: style.boldFirst === true && index === 0 }) + 1.6,
    y,
  )
}

function drawHead(pdf: Pdf, { invoice, corrects, productName }: InvoicePdf): void {
  const seller = invoice.seller as Party
  pdf.rect(LEFT, 56, 22, 4).fill(COLORS.accent)
  const { country } = seller
  const nameEnds = write(pdf, seller.company ?? productName, LEFT, 66, { size: 14, bold: true, width: 260, country })
  const sender = addressLines({ ...seller, company: null })
  const senderEnds = writeAll(pdf, sender, 339, 58, { quiet: true, width: 200, right: true, country })

  const top = Math.max(150, Math.max(nameEnds, senderEnds) + 28)
  write(pdf, titleOf(invoice), LEFT, top, { size: 20, bold: true, width: WIDTH })
  write(pdf, corrects ? 'Credited to' : 'Billed to', LEFT, top + 40, { quiet: true })
  const buyer = invoice.buyer as Party
  const style = { boldFirst: true, country: buyer.country }
  const buyerEnds = writeAll(pdf, addressLines(buyer), LEFT, top + 54, style)
  const facts = invoiceDetails(invoice, corrects)
  facts.forEach(([label, value], index) => {
    write(pdf, label, 339, top + 54 + index * 14, { quiet: true, width: 60 })
    write(pdf, value, 399, top + 54 + index * 14, { width: 140, right: true })
  })
  pdf.y = Math.max(buyerEnds, top + 54 + facts.length * 14) + 28
}

function invoiceDetails(invoice: InvoiceRow, corrects: string | null): [label: string, value: string][] {
  // A period ends just before `period_end`, so the last day shown is the day before.
  const lastDay = new Date(invoice.period_end.getTime() - 1)
  const paid = invoice.kind === 'INVOICE' && invoice.status === 'PAID' && invoice.paid_at
  return [
    ['Date', invoice.issued_at ? day(invoice.issued_at) : 'not issued'],
    ['Period', `${day(invoice.period_start)} to ${day(lastDay)}`],
    ...(corrects ? ([['Corrects', corrects]] as [string, string][]) : []),
    ...(!corrects && invoice.due_at ? ([['Due', day(invoice.due_at)]] as [string, string][]) : []),
    ...(paid ? ([['Paid', day(paid)]] as [string, string][]) : []),
    ['Customer', `C-${invoice.account_id}`],
  ]
}

function drawSums(pdf: Pdf, { invoice }: InvoicePdf): void {
  const money = (amount: number) => formatMoney({ amount, currency: invoice.currency })
  let y = pdf.y + 4
  rule(pdf, y)
  const sums: [string, string, boolean][] = [
    ['Subtotal', money(invoice.subtotal), false],
    taxRow(invoice),
    [invoice.number === null ? 'Total before tax' : 'Total', money(invoice.total), true],
  ]
  y += 10
  for (const [label, amount, bold] of sums) {
    write(pdf, label, 312, y, { bold, width: 110, size: bold ? 11 : 9 })
    write(pdf, amount, RIGHT - 170, y, { bold, width: 170, right: true, size: bold ? 11 : 9 })
    y += bold ? 20 : 15
  }
  for (const note of notesOf(invoice)) y = write(pdf, note, LEFT, y + 8, { quiet: true, width: WIDTH })
  pdf.y = y + 8
}

function taxRow({ tax_rule: decided, tax_rate: rate, tax, currency }: InvoiceRow): [string, string, boolean] {
  if (decided === null) return ['VAT', 'not decided yet', false]
  const amount = formatMoney({ amount: tax, currency })
  if (decided === 'NONE') return ['Tax', amount, false]
  // Reverse-charged or untaxed invoices have no rate; a note says why.
  return [TAX_NOTES[decided] ? 'VAT' : `VAT ${(rate ?? 0) / 100} %`, amount, false]
}

function notesOf({ kind, number, status, total, tax_rule: decided, due_at: due }: InvoiceRow): string[] {
  if (number === null) return ['This is a draft, not an invoice. The VAT ID is still being checked.']
  const note = decided && TAX_NOTES[decided]
  const wantsMoney = kind === 'INVOICE' && status === 'OPEN' && total > 0 && due
  return [
    ...(note ? [note] : []),
    ...(wantsMoney
      ? [`Payable by ${day(due)}. A saved card is charged automatically; otherwise pay under Billing.`]
      : []),
    ...(kind === 'INVOICE' && status === 'VOID' ? ['Credited in full. No payment is due.'] : []),
  ]
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
