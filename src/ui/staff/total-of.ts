/** The server counts the matches of a search only up to this. */
const SEARCH_COUNT_CAP = 1_000

/** Returns the total for a table's `page`; undefined where the count stopped at its cap. */
export const totalOf = (totalCount: number, search: string) =>
  search !== '' && totalCount >= SEARCH_COUNT_CAP ? {} : { total: totalCount }
