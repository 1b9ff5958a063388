/**
 * The installation's current key and its previous ones. Anything encrypted or signed under a previous key remains valid
 * until that key is removed. Everything new uses the current one (decision 33).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type SecretKey = string | readonly [current: string, ...previous: string[]]

export const knownKeys = (key: SecretKey): readonly [string, ...string[]] => (typeof key === 'string' ? [key] : key)
export const currentKey = (key: SecretKey): string => knownKeys(key)[0]

/** HMAC-SHA256 under the current key. `purpose` makes a value for one use worthless for every other. */
export const macOf = (key: SecretKey, purpose: string, ...parts: readonly (string | Buffer)[]): Buffer =>
  hmac(currentKey(key), purpose, parts)

/** The same under every known key, the current one first. */
export const macsOf = (key: SecretKey, purpose: string, ...parts: readonly (string | Buffer)[]): Buffer[] =>
  knownKeys(key).map((known) => hmac(known, purpose, parts))

/** Compares in a time that does not depend on the bytes. */
export const isOneOf = (given: Buffer, expected: readonly Buffer[]): boolean =>
  expected.some((one) => one.length === given.length && timingSafeEqual(one, given))

function hmac(key: string, purpose: string, parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key).update(`${purpose}\0`)
  for (const part of parts) mac.update(part)
  return mac.digest()
}
