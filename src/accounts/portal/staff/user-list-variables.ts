/**
 * Turns the search parameters of the list into query variables. The loader and the page must request exactly the
 * same.
 */
import type { Sort } from '../../../ui/components/table-rows.ts'
import { startOfYesterday } from './user-name.ts'

export type UserType = 'recent' | 'paying' | 'suspended'

/** Columns that can be sorted by: an index covers each. */
export const USER_SORT_COLUMNS = ['email', 'created']

export function userListVariables(type: UserType | undefined, search?: string, sort?: Sort | null) {
  return {
    ...(type === 'recent' && { since: startOfYesterday() }),
    ...(type === 'paying' && { wantsCustomers: true }),
    ...(type === 'suspended' && { suspended: true }),
    ...(search && { search }),
    ...(sort && {
      sort: `${sort.column === 'email' ? 'EMAIL' : 'CREATED'}_${sort.descending ? 'DESC' : 'ASC'}` as const,
    }),
  }
}
