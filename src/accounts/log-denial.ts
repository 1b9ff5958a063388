/** A line of the log for each factor that was refused, to sign in or to confirm who one is. What was typed is not in it: people type passwords into the wrong field. */
import type { Actor } from '../platform/audit.ts'
import type { AccountsDeps } from './deps.ts'
import { networkOf } from './throttle.ts'

export function logDenial(
  { log }: Pick<AccountsDeps, 'log'>,
  { ip, requestId }: Actor,
  /** Null where no account has that address or passkey. */
  userId: number | null,
  factor: 'password' | 'code' | 'passkey',
): void {
  log.warn({ userId, factor, network: networkOf(ip ?? ''), requestId }, 'an authentication was refused')
}
