import { hasRole } from '../../../kernel/required-role.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import type { DetailedUser } from './user-documents.ts'

/** Returns why the caller may not act: the user is staff and the caller is no owner. Null if they may. */
export function useOwnerNeeded({ isAdmin }: DetailedUser): string | null {
  const roles = useUser()?.roles ?? []
  return isAdmin && !hasRole(roles, 'owner') ? 'This user is staff. Requires the Owner role.' : null
}
