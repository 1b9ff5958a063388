/** Converts the URL of the list to query variables. The loader and the page must use the same ones. */
import type { Sort } from '../../../ui/components/table-rows.ts'
import { PREFIX_STATUSES, type PrefixStatus } from '../../states.ts'

/** A URL may write the status in any case, and it is sent in uppercase. An invalid status is not sent; the page says so. */
export function readStatus(status: string | undefined): PrefixStatus | undefined {
  const upper = status?.toUpperCase()
  return PREFIX_STATUSES.find((known) => known === upper)
}

/** The columns that an index orders. */
export const PREFIX_SORT_COLUMNS = ['value', 'created']

export function prefixListVariables(status: string | undefined, search?: string, sort?: Sort | null) {
  const wanted = readStatus(status)
  return {
    ...(wanted && { status: wanted }),
    ...(search && { search }),
    ...(sort && {
      sort: `${sort.column === 'value' ? 'VALUE' : 'CREATED'}_${sort.descending ? 'DESC' : 'ASC'}` as const,
    }),
  }
}
