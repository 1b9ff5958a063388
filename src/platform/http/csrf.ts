/**
 * CSRF protection by a double-submitted token that is bound to its session: an HMAC of the session's secret under the
 * installation's key. Nothing is stored, a token is worthless in another session, and it ends with its own.
 */
import { isOneOf, macOf, macsOf, type SecretKey } from '../secret-key.ts'

export const CSRF_COOKIE = 'CSRF-TOKEN'
export const CSRF_HEADER = 'x-csrf-token'

export interface Csrf {
  tokenFor(sessionToken: string): string
  matches(sessionToken: string, presented: unknown): boolean
}

export function createCsrf(key: SecretKey): Csrf {
  const tokenFor = (sessionToken: string): string => macOf(key, 'csrf', sessionToken).toString('base64url')
  return {
    tokenFor,
    matches: (sessionToken, presented) =>
      typeof presented === 'string' &&
      isOneOf(
        Buffer.from(presented),
        macsOf(key, 'csrf', sessionToken).map((mac) => Buffer.from(mac.toString('base64url'))),
      ),
  }
}
