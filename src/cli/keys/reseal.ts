/** Encrypts stored values with the current key, after the key was changed. */
import { sql } from 'kysely'
import { AUTHORITY_PURPOSE } from '../../accounts/agents/authority.ts'
import { TOTP_PURPOSE } from '../../accounts/second-factor/totp.ts'
import type { Db } from '../../platform/db/index.ts'
import { decrypt, encrypt } from '../../platform/encryption.ts'
import { ANSWER_PURPOSE } from '../../platform/http/response-encryption.ts'
import { mailPurpose } from '../../platform/mail.ts'
import { currentKey, type SecretKey } from '../../platform/secret-key.ts'
import { passwordPurpose } from '../../transit/connections/session-password.ts'
import { WEBHOOK_SECRET_PURPOSE } from '../../webhooks/signing.ts'

interface SealedColumn {
  readonly table: string
  readonly column: string
  /** Identifies the row; some purposes are also bound to it. */
  readonly id: string
  readonly purpose: (id: string) => string
  /** Base64 in a JSON string, not bytes. */
  readonly json?: true
}

/** Every column with values of {@link encrypt}. The test compares it with the columns of the schema. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'totp_factors', column: 'encrypted_secret', id: 'user_id', purpose: () => TOTP_PURPOSE },
  {
    table: 'transit_connections',
    column: 'encrypted_password',
    id: 'id',
    purpose: (id) => passwordPurpose(Number(id)),
  },
  {
    table: 'transit_connections',
    column: 'next_encrypted_password',
    id: 'id',
    purpose: (id) => passwordPurpose(Number(id)),
  },
  { table: 'agent_authority', column: 'encrypted_key', id: 'id', purpose: () => AUTHORITY_PURPOSE },
  { table: 'outgoing_mail', column: 'encrypted_body', id: 'message_id', purpose: mailPurpose },
  { table: 'webhook_endpoints', column: 'secret', id: 'id', purpose: () => WEBHOOK_SECRET_PURPOSE },
  { table: 'webhook_endpoints', column: 'previous_secret', id: 'id', purpose: () => WEBHOOK_SECRET_PURPOSE },
  {
    table: 'idempotency_keys',
    column: 'answer',
    id: "caller || ' ' || key",
    purpose: () => ANSWER_PURPOSE,
    json: true,
  },
]

export interface Resealed {
  /** Encrypted with a former key before, and with the current one now. */
  readonly renewed: number
  readonly current: number
  /** Described in words: none of the keys decrypts them. */
  readonly unreadable: readonly string[]
}

const BATCH = 500

/**
 * Handles each value separately, and only if it is still the one that was read. So it can be stopped anywhere and
 * repeated, also while the portal runs. With `write` false it only counts.
 */
export async function reseal(db: Db, secretKey: SecretKey, { write }: { readonly write: boolean }): Promise<Resealed> {
  const done = { renewed: 0, current: 0, unreadable: [] as string[] }
  for (const column of SEALED_COLUMNS) {
    for await (const { id, sealed } of sealedValues(db, column)) {
      const purpose = column.purpose(id)
      if (opens(currentKey(secretKey), purpose, sealed)) done.current++
      else if (!opens(secretKey, purpose, sealed)) done.unreadable.push(`${column.table}.${column.column} of ${id}`)
      else {
        if (write)
          await replace(db, column, {
            id,
            sealed,
            renewed: encrypt(secretKey, purpose, decrypt(secretKey, purpose, sealed)),
          })
        done.renewed++
      }
    }
  }
  return done
}

async function* sealedValues(db: Db, column: SealedColumn): AsyncGenerator<{ id: string; sealed: Buffer }> {
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; sealed: Buffer }>`
      select id, sealed from (select (${sql.raw(column.id)})::text as id, ${bytesOf(column)} as sealed
        from ${sql.table(column.table)} where ${sql.ref(column.column)} is not null) found
      where id > ${after} order by id limit ${BATCH}`.execute(db)
    yield* rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.id
  }
}

async function replace(
  db: Db,
  column: SealedColumn,
  { id, sealed, renewed }: { readonly id: string; readonly sealed: Buffer; readonly renewed: Buffer },
): Promise<void> {
  const value = column.json ? sql`to_jsonb(${renewed.toString('base64')}::text)` : sql`${renewed}`
  await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${value}
    where (${sql.raw(column.id)})::text = ${id} and ${bytesOf(column)} = ${sealed}`.execute(db)
}

const bytesOf = ({ column, json }: SealedColumn) =>
  json ? sql`decode(${sql.ref(column)} #>> '{}', 'base64')` : sql`${sql.ref(column)}`

function opens(key: SecretKey, purpose: string, sealed: Buffer): boolean {
  try {
    decrypt(key, purpose, sealed)
    return true
  } catch {
    return false
  }
}
