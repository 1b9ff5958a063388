/**
 * CSRF by a double-submitted token that is bound to its session: HMAC of the session's secret under the installation's
 * key. Nothing is stored, a token of one session is worthless in another, and it dies with its session.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const CSRF_COOKIE = 'CSRF-TOKEN'
export const CSRF_HEADER = 'x-csrf-token'

export interface Csrf {
  tokenFor(sessionToken: string): string
  matches(sessionToken: string, presented: unknown): boolean
}

export function createCsrf(key: string): Csrf {
  const tokenFor = (sessionToken: string): string =>
    createHmac('sha256', key).update('csrf\0').update(sessionToken).digest('base64url')
  return {
    tokenFor,
    matches(sessionToken, presented) {
      if (typeof presented !== 'string') return false
      const expected = Buffer.from(tokenFor(sessionToken))
      const given = Buffer.from(presented)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
