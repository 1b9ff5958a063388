/** An invoice as CSV. */
import { csvLine } from '../../kernel/csv.ts'
import { currencyDecimals } from '../../kernel/money.ts'
import type { InvoiceRow, LineRow } from './view.ts'

/** Amounts are exact decimals. */
export function invoiceCsv(invoice: InvoiceRow, lines: readonly LineRow[]): string {
  const money = (minor: number) => decimal(minor, invoice.currency)
  const rows = lines.map((line) => [
    invoice.number ?? '',
    line.description,
    String(Number(line.quantity)),
    line.unit,
    money(line.unit_price),
    money(line.amount),
    invoice.currency,
    line.starts_at?.toISOString() ?? '',
    line.ends_at?.toISOString() ?? '',
  ])
  const sums = [
    ['Subtotal', invoice.subtotal],
    ['Tax', invoice.tax],
    ['Total', invoice.total],
  ] as const
  const header = [
    'number',
    'description',
    'quantity',
    'unit',
    'unit_price',
    'amount',
    'currency',
    'starts_at',
    'ends_at',
  ]
  const all = [
    header,
    ...rows,
    ...sums.map(([word, sum]) => [invoice.number ?? '', word, '', '', '', money(sum), invoice.currency, '', '']),
  ]
  return all.map(csvLine).join('')
}

/** Formats as text, because a division would bring back fractions that integers avoid. */
export function decimal(minor: number, currency: string): string {
  const decimals = currencyDecimals(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
