import { hasRole } from '../../../kernel/required-role.ts'
import { useUser } from '../../../ui/runtime/session.ts'
import type { DetailedUser } from './user-documents.ts'

/** Why not, where the user is staff and the caller no owner; null when they may. */
export function useOwnerNeeded({ isAdmin }: DetailedUser): string | null {
  const roles = useUser()?.roles ?? []
  return isAdmin && !hasRole(roles, 'owner') ? 'This user is staff. Requires the Owner role.' : null
}
