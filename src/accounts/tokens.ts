/** Bearer secrets: the holder has 256 random bits and the portal stores only a digest. */
import { createHash, randomBytes } from 'node:crypto'
import { macOf, macsOf, type SecretKey } from '../platform/secret-key.ts'

export const createToken = (): string => randomBytes(32).toString('base64url')

/**
 * Digest for secrets that authenticate on their own: sessions and API tokens. It is keyed, so write access to the
 * database without the installation's key is not enough to add a session.
 */
export const keyedDigestOf = (secretKey: SecretKey, token: string): Buffer => macOf(secretKey, DIGEST, token)
/** Returns the digest under each known key, the current one first. */
export const keyedDigestsOf = (secretKey: SecretKey, token: string): Buffer[] => macsOf(secretKey, DIGEST, token)

const DIGEST = 'token digest'

/** Digest for links, codes and challenges. A plain hash is enough, because nobody can guess 256 random bits. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
