/** Exports the rows of a table with its displayed columns as CSV (RFC 4180). Loaded on demand. */
import { csvLine } from '../../kernel/csv.ts'
import type { Column, CsvValue } from '../components/DataTable.tsx'

/** Columns without a value, such as actions, are left out. */
export function rowsAsCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const written = columns.flatMap(({ header, csv }) => (csv ? [{ header, csv }] : []))
  const lines = rows.map((row) => written.map(({ csv }) => textOf(csv(row))))
  return [written.map(({ header }) => header), ...lines].map(csvLine).join('')
}

const textOf = (value: CsvValue): string => String(value ?? '')

/** The content and the time in UTC: `bgp-sessions-20261123-2348Z.csv`. */
export function fileNameOf(label: string, now: Date): string {
  const what = label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const [day, time] = now.toISOString().split('T')
  return `${what}-${day!.replaceAll('-', '')}-${time!.slice(0, 5).replace(':', '')}Z.csv`
}

/** Saves the rows as a file. */
export function saveRows<Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  // A Blob encodes text as UTF-8.
  const url = URL.createObjectURL(new Blob([rowsAsCsv(columns, rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileNameOf(label, new Date())
  link.click()
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
