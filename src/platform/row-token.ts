/**
 * The token in a mailed link that belongs to a row. It is derived from the row under the installation's key instead of
 * stored: the database alone opens nothing.
 */
import { isOneOf, macOf, macsOf, type SecretKey } from './secret-key.ts'

export interface TokenSubject {
  /** Keeps what is derived for one use worthless for every other. */
  readonly purpose: string
  readonly id: number
  /** The content of the row: the token depends on it. */
  readonly fields: string
}

// Like the other tokens of mails in letters, digits, - and _ alone: what copies a link stops at nothing else.
export const rowToken = (secretKey: SecretKey, { purpose, id, fields }: TokenSubject): string =>
  textOf(id, macOf(secretKey, purpose, fields))

/** The row that a token claims to be of; nothing is proved yet. */
export function rowIdOf(token: string): number | null {
  const match = /^([1-9]\d{0,9})[-.][\w-]{43}$/.exec(token)
  const id = match ? Number(match[1]) : null
  return id !== null && id <= 2_147_483_647 ? id : null
}

export const isTokenOf = (secretKey: SecretKey, { purpose, id, fields }: TokenSubject, token: string): boolean =>
  isOneOf(
    // Links that were mailed by the first release have a dot.
    Buffer.from(token.replace('.', '-')),
    macsOf(secretKey, purpose, fields).map((mac) => Buffer.from(textOf(id, mac))),
  )

const textOf = (id: number, mac: Buffer): string => `${id}-${mac.toString('base64url')}`
