/** Secrets that must be read again: AES-256-GCM under the installation's key, so that the database alone gives nothing away. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE = 12
const TAG = 16

export function encrypt(secretKey: string, purpose: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws when it was sealed under another key or purpose, or was tampered with. */
export function decrypt(secretKey: string, purpose: string, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, purpose), encrypted.subarray(0, NONCE))
  decipher.setAuthTag(encrypted.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE + TAG)), decipher.final()])
}

const keyFor = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `sealed ${purpose}`, 32))
