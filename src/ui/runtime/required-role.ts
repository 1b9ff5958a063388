import { missingRoleReason, type RequiredRole } from '../../kernel/required-role.ts'
import { useUser } from './session.ts'

/** Why whoever is signed in may not do what is this duty, as the server would say it; null when they may. */
export const useMissingRoleReason = (role: RequiredRole): string | null =>
  missingRoleReason(useUser()?.roles ?? [], role)
