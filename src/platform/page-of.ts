/** Takes the rows of a page plus one; returns the rows of the page and the key of the next page, null on the last. */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => Key,
): { readonly shown: readonly Row[]; readonly next: Key | null } {
  const shown = rows.slice(0, limit)
  return { shown, next: rows.length > limit ? keyOf(shown.at(-1)!) : null }
}
