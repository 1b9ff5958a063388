import type { AccountId } from '../kernel/ids.ts'
import { conflict, invalid, notFound } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import type { SshKey } from './contract.ts'
import { recordAccountEvent } from './events.ts'
import { NAME_MAX_LENGTH, SSH_KEYS_MAX } from './policy.ts'
import { parseSshPublicKey } from './ssh-public-key.ts'
import type { SshKeysTable } from './tables.ts'

type Row = { [K in keyof SshKeysTable]: K extends 'id' ? number : K extends 'created_at' ? Date : SshKeysTable[K] }

/** Lists the SSH keys that the account installs on its routers, oldest first. */
export async function listSshKeys(db: Db, accountId: AccountId): Promise<SshKey[]> {
  const rows = await db.selectFrom('ssh_keys').selectAll().where('account_id', '=', accountId).orderBy('id').execute()
  return rows.map(view)
}

export async function addSshKey(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  request: { name?: string | undefined; publicKey: string },
): Promise<SshKey> {
  const key = parseSshPublicKey(request.publicKey)
  if ('problem' in key) throw invalid([{ field: 'publicKey', message: key.problem }])
  // The lock lasts until the commit, so two concurrent requests cannot both take the last free slot.
  await db.selectFrom('users').select('id').where('account_id', '=', accountId).forUpdate().execute()
  if ((await listSshKeys(db, accountId)).length >= SSH_KEYS_MAX) {
    throw conflict(`An account takes ${SSH_KEYS_MAX} keys: remove one first.`)
  }
  const row = await db
    .insertInto('ssh_keys')
    .values({
      account_id: accountId,
      name: request.name ?? (key.comment.slice(0, NAME_MAX_LENGTH) || key.type),
      type: key.type,
      public_key: key.publicKey,
      fingerprint: key.fingerprint,
    })
    .onConflict((again) => again.columns(['account_id', 'fingerprint']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw invalid([{ field: 'publicKey', message: 'is in your account already' }])
  await recordAccountEvent(db, actor, accountId, 'ssh_key.added', { name: row.name, fingerprint: row.fingerprint })
  return view(row)
}

export async function removeSshKey(db: Db, actor: Actor, accountId: AccountId, id: number): Promise<void> {
  const removed = await db
    .deleteFrom('ssh_keys')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(['name', 'fingerprint'])
    .executeTakeFirst()
  if (!removed) throw notFound()
  await recordAccountEvent(db, actor, accountId, 'ssh_key.removed', removed)
}

const view = (row: Row): SshKey => ({
  id: row.id,
  name: row.name,
  type: row.type,
  fingerprint: row.fingerprint,
  publicKey: row.public_key,
  createdAt: row.created_at.toISOString(),
})
