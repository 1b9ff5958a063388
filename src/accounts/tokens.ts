/** Secrets that stand for somebody: 256 random bits in the hand of the holder, SHA-256 of it with us. */
import { createHash, randomBytes } from 'node:crypto'

export interface Token {
  readonly token: string
  readonly digest: Buffer
}

export function createToken(): Token {
  const token = randomBytes(32).toString('base64url')
  return { token, digest: digestOf(token) }
}

/** A plain hash will do: what has 256 bits of chance in it cannot be guessed back from its digest. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
