/** Shuts down both sessions of a connection with a message, and drains its prefixes for a time. */
import type { AccountId } from '../../kernel/ids.ts'
import { conflict } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ensureConnection } from '../connections/connections.ts'
import { recordConnectionEvent } from '../events.ts'

/** Null enables the sessions again. Setting the same value changes nothing and adds no audit log entry. */
export async function setShutdown(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
  shutdown: { readonly message: string | null } | null,
): Promise<void> {
  const before = await ensureConnection(db, accountId, clock.now())
  const message = shutdown?.message ?? null
  const enabled = shutdown === null
  if (before.enabled === enabled && before.shutdown_message === message) return
  await db
    .updateTable('transit_connections')
    .set({ enabled, shutdown_message: message })
    .where('id', '=', before.id)
    .execute()
  await recordConnectionEvent(
    db,
    actor,
    before,
    enabled ? 'connection.sessions_enabled' : 'connection.sessions_shut_down',
    enabled ? {} : { message },
  )
}

/** Another number of minutes moves the end. */
export async function beginDrain(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
  minutes: number,
): Promise<void> {
  const now = clock.now()
  const before = await ensureConnection(db, accountId, now)
  if (!before.enabled) throw conflict('The sessions are shut down: there is nothing to drain.')
  const until = new Date(now.getTime() + minutes * 60_000)
  await db.updateTable('transit_connections').set({ drain_until: until }).where('id', '=', before.id).execute()
  await recordConnectionEvent(db, actor, before, 'connection.drain_began', { minutes, until: until.toISOString() })
}

export async function endDrain(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
): Promise<void> {
  const before = await ensureConnection(db, accountId, clock.now())
  if (before.drain_until === null) return
  await db.updateTable('transit_connections').set({ drain_until: null }).where('id', '=', before.id).execute()
  await recordConnectionEvent(db, actor, before, 'connection.drain_ended')
}
