/**
 * Logs each rejected factor, at sign-in or identity confirmation. The entered text is left out: people type passwords
 * into the wrong field.
 */
import type { Actor } from '../platform/audit.ts'
import type { AccountsDeps } from './deps.ts'
import { networkOf } from './throttle.ts'

export function logDenial(
  { log }: Pick<AccountsDeps, 'log'>,
  { ip, requestId }: Actor,
  /** Null if no account has that address or passkey. */
  userId: number | null,
  factor: 'password' | 'code' | 'passkey',
): void {
  log.warn({ userId, factor, network: networkOf(ip ?? ''), requestId }, 'an authentication was refused')
}
