/** An invoice on paper: A4, plain, complete (Directive 2006/112/EC article 226). */
import PDFDocument from 'pdfkit'
import { formatMoney } from '../../kernel/money.ts'
import { TAX_NOTES } from './tax.ts'
import type { InvoiceRow, LineRow } from './view.ts'

const LEFT = 56
const RIGHT = 539
const BOTTOM = 770
const INK = '#1c1c1a'
const QUIET = '#5c5c57'
const RULE = '#dcdcd7'
const ACCENT = '#1f4f46'

interface Party {
  readonly name?: string | null
  readonly company: string | null
  readonly street: string | null
  readonly postalCode: string | null
  readonly city: string | null
  readonly country: string | null
  readonly vatId: string | null
  readonly registration?: string | null
  /** The operator's own words, as they were when it was issued. */
  readonly footer?: string | null
}

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

const titleOf = (invoice: InvoiceRow): string =>
  `${invoice.kind === 'INVOICE' ? 'Invoice' : 'Credit note'} ${invoice.number ?? '(draft)'}`

type Pdf = InstanceType<typeof PDFDocument>

/**
 * The built-in faces of PDF hold the letters of western Europe alone. What they lack is shown as a question mark, never
 * dropped in silence; the accents of the rest of Europe come off their letters.
 */
export function printable(text: string): string {
  return text.normalize('NFC').replaceAll(/[^\x20-\x7e\xa0-\xffŠšŽžŒœŸ€–—‘’“”•…™]/gu, (letter) => {
    const bare = (STROKED[letter] ?? letter).normalize('NFD').replaceAll(/\p{M}/gu, '')
    return /^[\x20-\x7e]+$/.test(bare) ? bare : '?'
  })
}

/** Letters whose stroke is part of them: they do not come apart like accents. */
const STROKED: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i' }

function write(
  pdf: Pdf,
  text: string,
  x: number,
  y: number,
  look: { size?: number; bold?: boolean; quiet?: boolean; width?: number; right?: boolean } = {},
) {
  pdf
    .font(look.bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(look.size ?? 9)
    .fillColor(look.quiet ? QUIET : INK)
    .text(printable(text), x, y, { width: look.width ?? 240, align: look.right ? 'right' : 'left' })
}

function rule(pdf: Pdf, y: number): void {
  pdf.strokeColor(RULE).lineWidth(0.5).moveTo(LEFT, y).lineTo(RIGHT, y).stroke()
}

const addressLines = (party: Party): string[] =>
  [
    party.company,
    party.name,
    party.street,
    [party.postalCode, party.city].filter(Boolean).join(' '),
    party.country,
  ].filter((line): line is string => Boolean(line))

function drawHead(pdf: Pdf, { invoice, corrects, productName }: Paper): void {
  const seller = invoice.seller as Party
  pdf.rect(LEFT, 56, 22, 4).fill(ACCENT)
  write(pdf, seller.company ?? productName, LEFT, 66, { size: 14, bold: true })
  const sender = [...addressLines({ ...seller, company: null }), ...(seller.vatId ? [`VAT ${seller.vatId}`] : [])]
  sender.forEach((line, index) => write(pdf, line, 339, 58 + index * 12, { quiet: true, width: 200, right: true }))

  write(pdf, titleOf(invoice), LEFT, 150, { size: 20, bold: true, width: 483 })
  const buyer = invoice.buyer as Party
  const to = [...addressLines(buyer), ...(buyer.vatId ? [`VAT ${buyer.vatId}`] : [])]
  write(pdf, corrects ? 'Credited to' : 'Billed to', LEFT, 190, { quiet: true })
  to.forEach((line, index) => write(pdf, line, LEFT, 204 + index * 12, { bold: index === 0 }))
  // A period ends before its last moment: the day that people mean is the one before.
  const lastDay = new Date(invoice.period_end.getTime() - 1)
  const facts = [
    ['Date', invoice.issued_at ? day(invoice.issued_at) : 'draft'],
    ['Period', `${day(invoice.period_start)} to ${day(lastDay)}`],
    ...(corrects ? [['Corrects', corrects]] : [['Due', invoice.due_at ? day(invoice.due_at) : '']]),
    ['Customer', `C-${invoice.user_id}`],
  ]
  facts.forEach(([label, value], index) => {
    write(pdf, label!, 339, 204 + index * 14, { quiet: true, width: 60 })
    write(pdf, value!, 399, 204 + index * 14, { width: 140, right: true })
  })
  pdf.y = Math.max(204 + to.length * 12, 204 + facts.length * 14) + 28
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

function drawLines(pdf: Pdf, { invoice, lines }: Paper): void {
  const money = (amount: number) => formatMoney({ amount, currency: invoice.currency })
  let y = drawTableHead(pdf, pdf.y)
  for (const line of lines) {
    pdf.font('Helvetica').fontSize(9)
    const height = pdf.heightOfString(printable(line.description), { width: 246 })
    if (y + height > BOTTOM - 20) {
      pdf.addPage()
      y = drawTableHead(pdf, 56)
    }
    write(pdf, line.description, COLUMNS.description, y, { width: 246 })
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
  if (pdf.y + 110 > BOTTOM) pdf.addPage().y = 56
  let y = pdf.y + 4
  rule(pdf, y)
  const rate = (invoice.tax_rate ?? 0) / 100
  const sums: [string, number, boolean][] = [
    ['Subtotal', invoice.subtotal, false],
    [invoice.tax_rule === 'NONE' ? 'Tax' : `VAT ${rate} %`, invoice.tax, false],
    ['Total', invoice.total, true],
  ]
  y += 10
  for (const [label, amount, bold] of sums) {
    write(pdf, label, 312, y, { bold, width: 150, size: bold ? 11 : 9 })
    write(pdf, money(amount), 419, y, { bold, width: 120, right: true, size: bold ? 11 : 9 })
    y += bold ? 20 : 15
  }
  const note = invoice.tax_rule && TAX_NOTES[invoice.tax_rule]
  if (note) write(pdf, note, LEFT, y + 8, { quiet: true, width: 483 })
  pdf.y = y + 30
}

function drawFeet(pdf: Pdf, { invoice, productName, supportEmail }: Paper): void {
  const seller = invoice.seller as Party
  const words = [seller.company ?? productName, seller.registration, supportEmail].filter(Boolean).join(' · ')
  const { count } = pdf.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page)
    if (seller.footer) drawFooter(pdf, seller.footer)
    rule(pdf, 790)
    write(pdf, words, LEFT, 798, { quiet: true, size: 8, width: 400 })
    write(pdf, `${page + 1} / ${count}`, 459, 798, { quiet: true, size: 8, width: 80, right: true })
  }
}

/** Above the last rule, however many lines it takes. */
function drawFooter(pdf: Pdf, footer: string): void {
  const text = footer.replaceAll(/\s+/g, ' ')
  const height = pdf.font('Helvetica').fontSize(7).heightOfString(printable(text), { width: 483 })
  write(pdf, text, LEFT, 786 - height, { quiet: true, size: 7, width: 483 })
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
