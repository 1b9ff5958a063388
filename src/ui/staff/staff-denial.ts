import { OWN_ACCOUNT } from '../../kernel/own-account.ts'
import type { RequiredRole } from '../../kernel/required-role.ts'
import { useMissingRoleReason } from '../runtime/required-role.ts'
import { useUser } from '../runtime/session.ts'

/** Returns why the signed-in member of staff may not decide for this user, in the server's words; null if they may. */
export function useStaffDenial(role: RequiredRole, userId: number): string | null {
  const missingRole = useMissingRoleReason(role)
  const self = useUser()
  return missingRole ?? (self?.id === userId ? OWN_ACCOUNT : null)
}
