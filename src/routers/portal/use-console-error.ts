import { useUser } from '../../ui/runtime/session.ts'

/**
 * Why staff cannot open a customer's console while impersonating, elevated or not; the server rejects it as well. Null
 * for everyone else.
 */
export const useConsoleBlockedReason = (): string | null =>
  useUser()?.impersonation ? 'Only the customer can open consoles.' : null
