/** Of rows read one beyond a page: those that it shows, and the key after which the next page goes on; null on the last. */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { readonly shown: readonly Row[]; readonly next: Key | null } {
  const shown = rows.slice(0, limit)
  return { shown, next: rows.length > limit ? keyOf(shown.at(-1)!) : null }
}
