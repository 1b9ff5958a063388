import { encrypt, decrypt } from '../encryption.ts'
import type { ResponseEncryption } from './idempotency.ts'

const PURPOSE = 'idempotent answer'

/** Keeps what was answered under the installation's key. */
export const encryptResponses = (secretKey: string): ResponseEncryption => ({
  close: (answer) => encrypt(secretKey, PURPOSE, Buffer.from(JSON.stringify(answer ?? null))).toString('base64'),
  open: (encrypted) =>
    JSON.parse(decrypt(secretKey, PURPOSE, Buffer.from(encrypted, 'base64')).toString('utf8')) as unknown,
})
