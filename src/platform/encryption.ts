/**
 * Encrypts secrets that must be read again with AES-256-GCM under the installation's key, so that a copy of the
 * database alone reveals nothing.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { currentKey, knownKeys, type SecretKey } from './secret-key.ts'

const NONCE = 12
const TAG = 16

export function encrypt(secretKey: SecretKey, purpose: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyFor(currentKey(secretKey), purpose), nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws if it was encrypted under none of the keys, for another purpose, or was modified. */
export function decrypt(secretKey: SecretKey, purpose: string, encrypted: Buffer): Buffer {
  const [current, ...previous] = knownKeys(secretKey)
  try {
    return decryptUnder(current, purpose, encrypted)
  } catch (error) {
    for (const key of previous) {
      try {
        return decryptUnder(key, purpose, encrypted)
      } catch {
        // Try the next key.
      }
    }
    throw error
  }
}

function decryptUnder(key: string, purpose: string, encrypted: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyFor(key, purpose), encrypted.subarray(0, NONCE))
  decipher.setAuthTag(encrypted.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE + TAG)), decipher.final()])
}

const keyFor = (key: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `sealed ${purpose}`, 32))
