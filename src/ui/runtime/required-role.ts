import { missingRoleReason, type RequiredRole } from '../../kernel/required-role.ts'
import { useUser } from './session.ts'

/** Returns why the signed-in user lacks this required role, in the server's words; null when they have it. */
export const useMissingRoleReason = (role: RequiredRole): string | null =>
  missingRoleReason(useUser()?.roles ?? [], role)
