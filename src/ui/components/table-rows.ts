/** Sorts and filters rows that are all loaded. The server sorts lists that it pages. */
export type SortValue = string | number | bigint | boolean | null | undefined

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** Created by the first sort. */
let collator: Intl.Collator | undefined
const compareText = (a: string, b: string): number =>
  (collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })).compare(a, b)

/** Missing values sort last in both directions. */
export function compareValues(a: SortValue, b: SortValue, descending: boolean): number {
  const missingA = a === null || a === undefined
  const missingB = b === null || b === undefined
  if (missingA || missingB) return Number(missingA) - Number(missingB)
  const order = typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : a < b ? -1 : a > b ? 1 : 0
  return descending ? 0 - order : order
}

export function sortRows<Row>(rows: readonly Row[], value: (row: Row) => SortValue, descending: boolean): Row[] {
  return rows.toSorted((a, b) => compareValues(value(a), value(b), descending))
}

/** Fewer rows are taken in at a glance: a filter for them is noise. */
export const FILTER_FROM = 8

/** Every word must occur somewhere in the row's text. */
export function filterRows<Row>(rows: readonly Row[], text: (row: Row) => string, filter: string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const haystack = text(row).toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
}

/** A click on a header cycles ascending, descending, original order. */
export function nextSort(current: Sort | null, column: string): Sort | null {
  if (current?.column !== column) return { column, descending: false }
  return current.descending ? null : { column, descending: true }
}
