/** The invoice lines, over as many pages as needed. */
import { formatMoney } from '../../../kernel/money.ts'
import { LEFT, RIGHT, rule, WIDTH, type Pdf } from '../../../platform/pdf/page.ts'
import { heightOf, widthOf, write } from '../../../platform/pdf/write.ts'
import { lineDates } from '../../line-dates.ts'
import type { Party } from './parties.ts'
import { titleOf, type InvoicePdf } from './layout.ts'
import type { LineRow } from '../view.ts'

/** The height of the totals below the last line, with a note. */
const SUMS_HEIGHT = 130
const GAP = 14

interface Column {
  readonly label: string
  readonly x: number
  readonly width: number
  readonly right: boolean
}

/** Numbers are never wrapped: their columns are as wide as needed, and the description gets the rest. */
function columnsFor(pdf: Pdf, rows: readonly (readonly string[])[]): Column[] {
  const columns: Column[] = []
  let right = RIGHT
  for (const [index, label, least] of FIGURES) {
    const width = rows.reduce<number>((widest, row) => Math.max(widest, Math.ceil(widthOf(pdf, row[index]!))), least)
    columns.unshift({ label, x: right - width, width, right: true })
    right -= width + GAP
  }
  return [{ label: 'Description', x: LEFT, width: right - LEFT, right: false }, ...columns]
}

/** From the right edge. */
const FIGURES = [
  [4, 'Amount', 56],
  [3, 'Price', 50],
  [2, 'Quantity', 56],
  [1, 'Dates (UTC)', 70],
] as const

export function drawLines(pdf: Pdf, document: InvoicePdf, bottom: number): void {
  const { country } = document.invoice.buyer as Party
  const rows = document.lines.map((line) => cellsOf(line, document.invoice.currency))
  const columns = columnsFor(pdf, rows)
  let y = drawTableHead(pdf, columns, pdf.y)
  for (const [index, row] of rows.entries()) {
    const height = heightOf(pdf, row[0]!, { width: columns[0]!.width, country })
    // The last line stays on the same page as the totals, so they are never alone on a page.
    const needed = index === rows.length - 1 ? height + SUMS_HEIGHT : height
    if (y + needed > bottom) y = drawTableHead(pdf, columns, turnPage(pdf, document))
    for (const [at, { x, width, right }] of columns.entries()) write(pdf, row[at]!, x, y, { width, right, country })
    y += height + 7
  }
  pdf.y = y
}

function cellsOf(line: LineRow, currency: string): string[] {
  const { description, quantity, unit, unit_price: price, amount, starts_at: start, ends_at: end } = line
  const money = (minor: number) => formatMoney({ amount: minor, currency })
  const dates = start && end ? lineDates(start, end) : ''
  return [description, dates, `${quantityOf(quantity)} ${unit}`.trim(), money(price), money(amount)]
}

const quantityOf = (quantity: string): string => String(Math.round(Number(quantity) * 1000) / 1000)

function drawTableHead(pdf: Pdf, columns: readonly Column[], y: number): number {
  for (const { label, x, width, right } of columns) write(pdf, label, x, y, { quiet: true, width, right })
  rule(pdf, y + 15)
  return y + 22
}

/** Each page repeats the header, so that a single page still shows which invoice it belongs to. */
function turnPage(pdf: Pdf, { invoice }: InvoicePdf): number {
  pdf.addPage()
  write(pdf, `${titleOf(invoice)}, continued`, LEFT, 56, { bold: true, width: WIDTH })
  return 84
}
