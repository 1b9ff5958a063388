/** How the address of the list becomes a question; the loader and the screen must ask the very same. */
import { startOfYesterday } from './user-name.ts'

export type UserType = 'recent' | 'paying'

export function userListVariables(type: UserType | undefined, search?: string) {
  return {
    ...(type === 'recent' && { since: startOfYesterday() }),
    ...(type === 'paying' && { wantsCustomers: true }),
    ...(search && { search }),
  }
}
