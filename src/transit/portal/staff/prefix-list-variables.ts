/** How the address of the list becomes a question; the loader and the screen must ask the very same. */
import type { Sort } from '../../../ui/components/table-rows.ts'
import { PREFIX_STATUSES, type PrefixStatus } from '../../states.ts'

/** An address may write the status as it likes; it is sent uppercased. What is no status is not sent; the screen says so. */
export function readStatus(status: string | undefined): PrefixStatus | undefined {
  const upper = status?.toUpperCase()
  return PREFIX_STATUSES.find((known) => known === upper)
}

/** What an index holds them in the order of. */
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
