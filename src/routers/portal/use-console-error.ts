import { useUser } from '../../ui/runtime/session.ts'

/** Of staff who act for a customer, raised or not: the server refuses it as well. Null for everybody else. */
export const useConsoleBlockedReason = (): string | null =>
  useUser()?.impersonation ? 'Only the customer can open consoles.' : null
