/** An invoice for a spreadsheet. */
import { currencyDecimals } from '../../kernel/money.ts'
import type { InvoiceRow, LineRow } from './view.ts'

/** Amounts as decimals, exact. */
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
  ])
  const sums = [
    ['Subtotal', invoice.subtotal],
    ['Tax', invoice.tax],
    ['Total', invoice.total],
  ] as const
  const header = ['number', 'description', 'quantity', 'unit', 'unit_price', 'amount', 'currency']
  const all = [
    header,
    ...rows,
    ...sums.map(([word, sum]) => [invoice.number ?? '', word, '', '', '', money(sum), invoice.currency]),
  ]
  return all.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** As text: a division would bring back the fractions that whole numbers keep out. */
export function decimal(minor: number, currency: string): string {
  const decimals = currencyDecimals(currency)
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const sign = minor < 0 ? '-' : ''
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * RFC 4180, and nothing that a spreadsheet takes for a formula: names of routers are the customer's own, what staff
 * wrote is not, and both are opened by somebody's accountant.
 */
function cell(text: string): string {
  const harmless = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
