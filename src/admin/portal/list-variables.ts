/** How the addresses of the lists become questions; the loader and the screen must ask the very same. */
import { PREFIX_STATUSES, type PrefixStatus } from '../../transit/states.ts'
import { startOfYesterday } from './person.ts'

export type UserType = 'recent' | 'paying'

/** A search is counted so far and no further. */
const SEARCH_COUNT_CAP = 1_000

/** For `page` of a table: left out where the count is only a beginning. */
export const totalOf = (totalCount: number, search: string) =>
  search !== '' && totalCount >= SEARCH_COUNT_CAP ? {} : { total: totalCount }

export function userListVariables(type: UserType | undefined, search?: string) {
  return {
    ...(type === 'recent' && { since: startOfYesterday() }),
    ...(type === 'paying' && { wantsCustomers: true }),
    ...(search && { search }),
  }
}

/** An address may write the status as it likes; it is sent uppercased. What is no status is not sent; the screen says so. */
export function readStatus(status: string | undefined): PrefixStatus | undefined {
  const upper = status?.toUpperCase()
  return PREFIX_STATUSES.find((known) => known === upper)
}

export function prefixListVariables(status: string | undefined, search?: string) {
  const wanted = readStatus(status)
  return { ...(wanted && { status: wanted }), ...(search && { search }) }
}
