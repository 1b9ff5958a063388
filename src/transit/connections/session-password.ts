/**
 * The TCP MD5 password of a connection's sessions (RFC 2385). The edge and the router need its plaintext, so it is
 * encrypted instead of hashed. The database alone, or a copy of it, does not reveal it.
 */
import { encrypt, decrypt } from '../../platform/encryption.ts'
import type { TransitDeps } from '../deps.ts'
import '../tables.ts'

export type KeyHolder = Pick<TransitDeps, 'secretKey'>

interface PasswordRow {
  readonly id: number
  readonly encrypted_password: Buffer | null
  /** In use while the edge tries it. */
  readonly next_encrypted_password: Buffer | null
  readonly password_pending_until: Date | null
}

/** The ciphertext is bound to its row, so a copy in another row cannot be decrypted. */
export const encryptPassword = ({ secretKey }: KeyHolder, connectionId: number, password: string): Buffer =>
  encrypt(secretKey, passwordPurpose(connectionId), Buffer.from(password, 'utf8'))

/**
 * Throws when the password was encrypted with another key. Running sessions then stay as they are, and the log says
 * why. Continuing without a password would close them, or open them to anybody who can reach the address.
 */
export function openPassword({ secretKey }: KeyHolder, row: PasswordRow): string | null {
  const sealed = row.password_pending_until === null ? row.encrypted_password : row.next_encrypted_password
  if (sealed === null) return null
  try {
    return decrypt(secretKey, passwordPurpose(row.id), sealed).toString('utf8')
  } catch (cause) {
    throw new Error(
      `The session password of connection ${row.id} was encrypted with another SECRET_KEY. Restore that key.`,
      { cause },
    )
  }
}

export const passwordPurpose = (connectionId: number): string => `session password ${connectionId}`
