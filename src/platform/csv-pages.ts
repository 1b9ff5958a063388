/** Writes a list as a CSV file page by page while it is read: it may be larger than memory. */
import { csvLine } from '../kernel/csv.ts'

/** The number of rows in each query. */
export const CSV_PAGE = 1_000

export interface CsvPage<Row> {
  readonly rows: readonly Row[]
  /** The start of the next page; null at the end. */
  readonly next: number | null
}

export type CsvCell = string | number | boolean | null | undefined

/** `columns` maps each header to its value. */
export async function* csvPages<Row>(
  columns: Readonly<Record<string, (row: Row) => CsvCell>>,
  read: (from: number | undefined) => Promise<CsvPage<Row>>,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns))
  const cells = Object.values(columns)
  for (let from: number | undefined; ;) {
    const { rows, next } = await read(from)
    yield rows.map((row) => csvLine(cells.map((cell) => String(cell(row) ?? '')))).join('')
    if (next === null) return
    from = next
  }
}
