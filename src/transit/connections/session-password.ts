/**
 * The TCP MD5 password of a connection's sessions (RFC 2385). The edge and the router need its plaintext, so it is
 * encrypted instead of hashed. The database alone, or a copy of it, does not reveal it.
 */
import type { Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { encrypt, decrypt } from '../../platform/encryption.ts'
import type { TransitDeps } from '../deps.ts'
import '../tables.ts'

export type KeyHolder = Pick<TransitDeps, 'secretKey'>

interface PasswordRow {
  readonly id: number
  readonly encrypted_password: Buffer | null
  /** Plaintext, as earlier releases wrote it. */
  readonly password: string | null
  /** In use while the edge tries it. */
  readonly next_encrypted_password: Buffer | null
  readonly password_pending_until: Date | null
}

/**
 * Returns the columns that store the password; null removes it. The ciphertext is bound to its row, so a copy in
 * another row cannot be decrypted.
 */
export const passwordColumns = ({ secretKey }: KeyHolder, connectionId: number, password: string | null) => ({
  password: null,
  encrypted_password:
    password === null ? null : encrypt(secretKey, passwordPurpose(connectionId), Buffer.from(password, 'utf8')),
})

export const hasPassword = (row: Pick<PasswordRow, 'encrypted_password' | 'password'>): boolean =>
  row.encrypted_password !== null || row.password !== null

/**
 * Throws when the password was encrypted with another key. Running sessions then stay as they are, and the log says
 * why. Continuing without a password would close them, or open them to anybody who can reach the address.
 */
export function openPassword({ secretKey }: KeyHolder, row: PasswordRow): string | null {
  const sealed = row.password_pending_until === null ? row.encrypted_password : row.next_encrypted_password
  if (sealed === null) return row.password
  try {
    return decrypt(secretKey, passwordPurpose(row.id), sealed).toString('utf8')
  } catch (cause) {
    throw new Error(
      `The session password of connection ${row.id} was encrypted with another SECRET_KEY. Restore that key.`,
      { cause },
    )
  }
}

/** Encrypts passwords that an earlier release stored in plaintext. */
export function passwordSealer({ db, secretKey }: Pick<TransitDeps, 'db' | 'secretKey'>): Reconciler {
  const plaintextRows = () => db.selectFrom('transit_connections').where('password', 'is not', null)
  return {
    name: 'session-passwords',
    everyMs: 60_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const rows = await plaintextRows().select('id').orderBy('id').limit(500).execute()
      return rows.map((row) => row.id)
    },
    async reconcile(id) {
      const row = await plaintextRows().select('password').where('id', '=', id).executeTakeFirst()
      if (row) await replace(db, id, row.password!, passwordColumns({ secretKey }, id, row.password))
    },
  }
}

/** Moves the password between the columns in one statement, and only while it is still the one that was encrypted. */
const replace = (db: Db, id: number, clear: string, encrypted: ReturnType<typeof passwordColumns>): Promise<unknown> =>
  db.updateTable('transit_connections').set(encrypted).where('id', '=', id).where('password', '=', clear).execute()

export const passwordPurpose = (connectionId: number): string => `session password ${connectionId}`
