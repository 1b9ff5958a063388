/**
 * The token of a row in a mailed link. It is derived from the row under the installation's key instead of stored, so
 * the database alone opens nothing.
 */
import { isOneOf, macOf, macsOf, type SecretKey } from './secret-key.ts'

export interface TokenSubject {
  /** Makes a token for one use worthless for every other. */
  readonly purpose: string
  readonly id: number
  /** The content of the row: the token depends on it. */
  readonly fields: string
}

// Like other tokens in emails it uses only letters, digits, - and _, so that copying the link never stops early.
export const rowToken = (secretKey: SecretKey, { purpose, id, fields }: TokenSubject): string =>
  textOf(id, macOf(secretKey, purpose, fields))

/** Returns the row that a token claims to belong to; nothing is proved yet. */
export function rowIdOf(token: string): number | null {
  const match = /^([1-9]\d{0,9})[-.][\w-]{43}$/.exec(token)
  const id = match ? Number(match[1]) : null
  return id !== null && id <= 2_147_483_647 ? id : null
}

export const isTokenOf = (secretKey: SecretKey, { purpose, id, fields }: TokenSubject, token: string): boolean =>
  isOneOf(
    // Links from the first release contain a dot.
    Buffer.from(token.replace('.', '-')),
    macsOf(secretKey, purpose, fields).map((mac) => Buffer.from(textOf(id, mac))),
  )

const textOf = (id: number, mac: Buffer): string => `${id}-${mac.toString('base64url')}`
