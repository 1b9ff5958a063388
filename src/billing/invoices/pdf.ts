/** An invoice on paper: A4, plain, complete (Directive 2006/112/EC article 226). */
import PDFDocument from 'pdfkit'
import { formatMoney } from '../../kernel/money.ts'
import { addressLines, type Party } from './paper-party.ts'
import { TAX_NOTES } from './tax.ts'
import { heightOf, write, type Look } from './typesetting/write.ts'
import type { InvoiceRow, LineRow } from './view.ts'

const LEFT = 56
const RIGHT = 539
const BOTTOM = 770
/** What the sums take below the last line, with a note. */
const SUMS_HEIGHT = 130
const RULE = '#dcdcd7'
const ACCENT = '#1f4f46'

export interface Paper {
  readonly invoice: InvoiceRow
  readonly lines: readonly LineRow[]
  /** Of a credit note: the number of the invoice that it corrects. */
  readonly corrects: string | null
  readonly productName: string
  readonly supportEmail: string
}

export function invoicePdf(paper: Paper): Promise<Buffer> {
  const { invoice } = paper
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 20, left: LEFT, right: 56 },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: titleOf(invoice),
      Author: (invoice.seller as Party).company ?? paper.productName,
      // The same invoice is the same file, whenever it is asked for.
      CreationDate: invoice.issued_at ?? invoice.created_at,
    },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  drawHead(document, paper)
  drawLines(document, paper)
  drawSums(document, paper)
  drawFeet(document, paper)
  document.end()
  return done
}

const titleOf = ({ kind, number }: InvoiceRow): string =>
  number === null ? 'Draft of an invoice' : `${kind === 'INVOICE' ? 'Invoice' : 'Credit note'} ${number}`

type Pdf = InstanceType<typeof PDFDocument>

/** One below the other, each as high as it is. Answers where they end. */
function writeAll(pdf: Pdf, lines: readonly string[], x: number, y: number, look: Look & { boldFirst?: boolean }) {
  return lines.reduce(
    (at, line, index) => write(pdf, line, x, at, { ...look, bold: look.boldFirst === true && index === 0 }) + 1.6,
    y,
  )
}

function rule(pdf: Pdf, y: number): void {
  pdf.strokeColor(RULE).lineWidth(0.5).moveTo(LEFT, y).lineTo(RIGHT, y).stroke()
}

function drawHead(pdf: Pdf, { invoice, corrects, productName }: Paper): void {
  const seller = invoice.seller as Party
  pdf.rect(LEFT, 56, 22, 4).fill(ACCENT)
  const { country } = seller
  const nameEnds = write(pdf, seller.company ?? productName, LEFT, 66, { size: 14, bold: true, width: 260, country })
  const sender = addressLines({ ...seller, company: null })
  const senderEnds = writeAll(pdf, sender, 339, 58, { quiet: true, width: 200, right: true, country })

  const top = Math.max(150, Math.max(nameEnds, senderEnds) + 28)
  write(pdf, titleOf(invoice), LEFT, top, { size: 20, bold: true, width: 483 })
  write(pdf, corrects ? 'Credited to' : 'Billed to', LEFT, top + 40, { quiet: true })
  const buyer = invoice.buyer as Party
  const look = { boldFirst: true, country: buyer.country }
  const buyerEnds = writeAll(pdf, addressLines(buyer), LEFT, top + 54, look)
  const facts = factsOf(invoice, corrects)
  facts.forEach(([label, value], index) => {
    write(pdf, label, 339, top + 54 + index * 14, { quiet: true, width: 60 })
    write(pdf, value, 399, top + 54 + index * 14, { width: 140, right: true })
  })
  pdf.y = Math.max(buyerEnds, top + 54 + facts.length * 14) + 28
}

function factsOf(invoice: InvoiceRow, corrects: string | null): [label: string, value: string][] {
  // A period ends before its last moment: the day that people mean is the one before.
  const lastDay = new Date(invoice.period_end.getTime() - 1)
  const paid = invoice.kind === 'INVOICE' && invoice.status === 'PAID' && invoice.paid_at
  return [
    ['Date', invoice.issued_at ? day(invoice.issued_at) : 'not issued'],
    ['Period', `${day(invoice.period_start)} to ${day(lastDay)}`],
    ...(corrects ? ([['Corrects', corrects]] as [string, string][]) : []),
    ...(!corrects && invoice.due_at ? ([['Due', day(invoice.due_at)]] as [string, string][]) : []),
    ...(paid ? ([['Paid', day(paid)]] as [string, string][]) : []),
    ['Customer', `C-${invoice.user_id}`],
  ]
}

const COLUMNS = { description: LEFT, quantity: 312, price: 392, amount: 469 } as const

function drawTableHead(pdf: Pdf, y: number): number {
  write(pdf, 'Description', COLUMNS.description, y, { quiet: true })
  write(pdf, 'Quantity', COLUMNS.quantity, y, { quiet: true, width: 74, right: true })
  write(pdf, 'Price', COLUMNS.price, y, { quiet: true, width: 70, right: true })
  write(pdf, 'Amount', COLUMNS.amount, y, { quiet: true, width: 70, right: true })
  rule(pdf, y + 15)
  return y + 22
}

/** A page that lies on its own still says whose it is. */
function turnPage(pdf: Pdf, { invoice }: Paper): number {
  pdf.addPage()
  write(pdf, `${titleOf(invoice)}, continued`, LEFT, 56, { bold: true, width: 483 })
  return 84
}

function drawLines(pdf: Pdf, paper: Paper): void {
  const { invoice, lines } = paper
  const buyer = invoice.buyer as Party
  const money = (amount: number) => formatMoney({ amount, currency: invoice.currency })
  const bottom = BOTTOM - 20
  let y = drawTableHead(pdf, pdf.y)
  for (const [index, line] of lines.entries()) {
    const look = { width: 246, country: buyer.country }
    const height = heightOf(pdf, line.description, look)
    // The last line stays with the sums: they are never alone on a page.
    const needed = index === lines.length - 1 ? height + SUMS_HEIGHT : height
    if (y + needed > bottom) y = drawTableHead(pdf, turnPage(pdf, paper))
    write(pdf, line.description, COLUMNS.description, y, look)
    write(pdf, `${quantityOf(line.quantity)} ${line.unit}`.trim(), COLUMNS.quantity, y, { width: 74, right: true })
    write(pdf, money(line.unit_price), COLUMNS.price, y, { width: 70, right: true })
    write(pdf, money(line.amount), COLUMNS.amount, y, { width: 70, right: true })
    y += height + 7
  }
  pdf.y = y
}

const quantityOf = (quantity: string): string => String(Math.round(Number(quantity) * 1000) / 1000)

function drawSums(pdf: Pdf, { invoice }: Paper): void {
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
    write(pdf, label, 312, y, { bold, width: 150, size: bold ? 11 : 9 })
    write(pdf, amount, 419, y, { bold, width: 120, right: true, size: bold ? 11 : 9 })
    y += bold ? 20 : 15
  }
  for (const note of notesOf(invoice)) y = write(pdf, note, LEFT, y + 8, { quiet: true, width: 483 })
  pdf.y = y + 8
}

function taxRow({ tax_rule: decided, tax_rate: rate, tax, currency }: InvoiceRow): [string, string, boolean] {
  if (decided === null) return ['VAT', 'not decided yet', false]
  const label = decided === 'NONE' ? 'Tax' : `VAT ${(rate ?? 0) / 100} %`
  return [label, formatMoney({ amount: tax, currency }), false]
}

function notesOf({ kind, number, status, total, tax_rule: decided, due_at: due }: InvoiceRow): string[] {
  if (number === null) return ['This is no invoice yet: it waits for the VAT id to be checked.']
  const note = decided && TAX_NOTES[decided]
  const wantsMoney = kind === 'INVOICE' && status === 'OPEN' && total > 0 && due
  return [
    ...(note ? [note] : []),
    ...(wantsMoney ? [`Payable by ${day(due)}. A saved card is charged by itself; otherwise pay under Billing.`] : []),
    ...(kind === 'INVOICE' && status === 'VOID' ? ['Credited in full: nothing is to be paid.'] : []),
  ]
}

function drawFeet(pdf: Pdf, { invoice, productName, supportEmail }: Paper): void {
  const seller = invoice.seller as Party
  const words = [seller.company ?? productName, seller.registration ?? '', supportEmail].filter(Boolean)
  const { country } = seller
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    if (seller.footer) drawFooter(pdf, seller.footer, country)
    rule(pdf, 790)
    write(pdf, words, LEFT, 798, { quiet: true, size: 8, width: 400, country })
    write(pdf, `${page + 1} / ${count}`, 459, 798, { quiet: true, size: 8, width: 80, right: true })
  }
}

/** Above the last rule, however many lines it takes. */
function drawFooter(pdf: Pdf, footer: string, country: string | null): void {
  const words = footer.replaceAll(/\s+/g, ' ')
  const look = { quiet: true, size: 7, width: 483, country }
  write(pdf, words, LEFT, 786 - heightOf(pdf, words, look), look)
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
