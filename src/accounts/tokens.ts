/** Secrets that stand for somebody: 256 random bits in the hand of the holder, a digest of it with us. */
import { createHash, randomBytes } from 'node:crypto'
import { macOf, macsOf, type SecretKey } from '../platform/secret-key.ts'

export const createToken = (): string => randomBytes(32).toString('base64url')

/**
 * For what signs in by itself: sessions and API tokens. Keyed, so that whoever can write to the database alone, and lacks the
 * installation's key, cannot add a session of their own.
 */
export const keyedDigestOf = (secretKey: SecretKey, token: string): Buffer => macOf(secretKey, DIGEST, token)
/** Under each known key, the current one first. */
export const keyedDigestsOf = (secretKey: SecretKey, token: string): Buffer[] => macsOf(secretKey, DIGEST, token)

const DIGEST = 'token digest'

/** For links, codes and challenges. A plain hash will do: what has 256 bits of chance in it cannot be guessed back. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
