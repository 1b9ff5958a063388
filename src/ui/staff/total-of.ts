/** A search is counted so far and no further. */
const SEARCH_COUNT_CAP = 1_000

/** For `page` of a table: left out where the count is only a beginning. */
export const totalOf = (totalCount: number, search: string) =>
  search !== '' && totalCount >= SEARCH_COUNT_CAP ? {} : { total: totalCount }
