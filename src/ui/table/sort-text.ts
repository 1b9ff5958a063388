/** `?sort=` of a list that the server sorts: the id of a column, after a minus when descending. */
import type { Sort } from '../components/table-rows.ts'

/** An unknown column sorts nothing. */
export function readSort(asked: unknown, columns: readonly string[]): Sort | null {
  if (typeof asked !== 'string') return null
  const descending = asked.startsWith('-')
  const column = descending ? asked.slice(1) : asked
  return columns.includes(column) ? { column, descending } : null
}

export const writeSort = (sort: Sort | null): string | undefined =>
  sort ? `${sort.descending ? '-' : ''}${sort.column}` : undefined
