/**
 * Signatures of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`, in base64, one for each valid secret.
 * Receivers can verify them with any of its libraries.
 */
import type { SecretKey } from '../platform/secret-key.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { encrypt, decrypt } from '../platform/encryption.ts'

export const WEBHOOK_SECRET_PURPOSE = 'webhook secret'
const MARK = 'whsec_'
/** The standard allows 24 to 64 bytes. The length of the digest is the best choice. */
const SECRET_BYTES = 32

export interface Secrets {
  readonly secret: Buffer
  readonly previous_secret: Buffer | null
  readonly previous_until: Date | null
}

/** Returns a new secret: as it is shown once, and encrypted for storage. */
export function createSecret(secretKey: SecretKey): { shown: string; encrypted: Buffer } {
  const secret = randomBytes(SECRET_BYTES)
  return { shown: MARK + secret.toString('base64'), encrypted: encrypt(secretKey, WEBHOOK_SECRET_PURPOSE, secret) }
}

export interface Signed {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

export function sign(secretKey: SecretKey, secrets: Secrets, message: { id: string; body: string }, now: Date): Signed {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const both = [secrets.secret]
  if (secrets.previous_secret && secrets.previous_until && secrets.previous_until > now)
    both.push(secrets.previous_secret)
  const signatures = both.map((encrypted) => {
    const hmac = createHmac('sha256', decrypt(secretKey, WEBHOOK_SECRET_PURPOSE, encrypted))
    return `v1,${hmac.update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`
  })
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
