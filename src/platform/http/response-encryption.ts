import type { SecretKey } from '../secret-key.ts'
import { encrypt, decrypt } from '../encryption.ts'
import type { ResponseEncryption } from './idempotency.ts'

export const ANSWER_PURPOSE = 'idempotent answer'

/** Encrypts stored responses under the installation's key. */
export const encryptResponses = (secretKey: SecretKey): ResponseEncryption => ({
  close: (answer) => encrypt(secretKey, ANSWER_PURPOSE, Buffer.from(JSON.stringify(answer ?? null))).toString('base64'),
  open: (encrypted) =>
    JSON.parse(decrypt(secretKey, ANSWER_PURPOSE, Buffer.from(encrypted, 'base64')).toString('utf8')) as unknown,
})
