import { useUser } from '../../portal/session.ts'

/** Of staff who act for a customer, raised or not: the server refuses it as well. Null for everybody else. */
export const useConsoleRefusal = (): string | null =>
  useUser()?.acting ? 'Only the customer can open consoles.' : null
