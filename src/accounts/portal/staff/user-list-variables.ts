/** How the address of the list becomes a question; the loader and the screen must ask the very same. */
import type { Sort } from '../../../ui/components/table-rows.ts'
import { startOfYesterday } from './user-name.ts'

export type UserType = 'recent' | 'paying' | 'suspended'

/** What an index holds them in the order of. */
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
