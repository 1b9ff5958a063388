/** Addresses whose traffic the customer has dropped for a time, at the edge and at upstreams that accept the community (RFC 7999). */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { formatAddress, parseAddress } from '../../kernel/prefix.ts'
import { conflict, invalid, notFound } from '../../kernel/problem.ts'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { ensureConnection, findConnection } from '../connections/connections.ts'
import type { Blackhole } from '../contract.ts'
import { recordConnectionEvent } from '../events.ts'
import { MOST_BLACKHOLES } from '../states.ts'

interface Wanted {
  readonly address: string
  readonly minutes: number
}

/** Adding the same address again moves its end. */
export async function addBlackhole(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
  { address: text, minutes }: Wanted,
): Promise<Blackhole> {
  const parsed = parseAddress(text)
  if (!parsed) throw invalid([{ field: 'address', message: NO_ADDRESS }])
  const address = formatAddress(parsed)
  const now = clock.now()
  const connection = await ensureConnection(db, accountId, now)
  const within = await db
    .selectFrom('transit_prefixes')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'APPROVED')
    .where(sql<boolean>`value >>= ${address}::inet`)
    .executeTakeFirst()
  if (!within) throw conflict(`${address} is in none of your approved prefixes.`, 'not_own_space')
  const running = await runningBlackholes(db, accountId).select('address').execute()
  if (running.length >= MOST_BLACKHOLES && !running.some((one) => one.address === address))
    throw conflict(`You have ${MOST_BLACKHOLES} blackholes. Remove one first.`, 'limit_reached')
  const times = { created_at: now, expires_at: new Date(now.getTime() + minutes * 60_000) }
  const row = await db
    .insertInto('transit_blackholes')
    .values({ account_id: accountId, address, ended_at: null, ...times })
    .onConflict((on) =>
      on.columns(['account_id', 'address']).where('ended_at', 'is', null).doUpdateSet({ expires_at: times.expires_at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordConnectionEvent(db, actor, connection, 'connection.blackhole_added', { address, minutes })
  return view(row)
}

const NO_ADDRESS = 'is not an IPv4 or IPv6 address'

/** Removes a blackhole of this account. Those of other accounts count as not found. */
export async function removeBlackhole(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
  id: number,
): Promise<void> {
  const row = await db
    .selectFrom('transit_blackholes')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  const connection = await findConnection(db, accountId)
  if (!row || !connection) throw notFound()
  if (row.ended_at !== null) return
  await db.updateTable('transit_blackholes').set({ ended_at: clock.now() }).where('id', '=', id).execute()
  await recordConnectionEvent(db, actor, connection, 'connection.blackhole_removed', { address: row.address })
}

/** Ends the blackholes whose time is over. */
export async function endBlackholes(
  db: Db,
  owner: { readonly id: number; readonly account_id: AccountId },
  now: Date,
): Promise<void> {
  const ended = await db
    .updateTable('transit_blackholes')
    .set({ ended_at: now })
    .where('account_id', '=', owner.account_id)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now)
    .returning('address')
    .execute()
  for (const { address } of ended)
    await recordConnectionEvent(db, SYSTEM, owner, 'connection.blackhole_ended', { address })
}

export async function ownBlackholes(db: Db, accountId: AccountId): Promise<Blackhole[]> {
  const rows = await runningBlackholes(db, accountId).selectAll().orderBy('id').execute()
  return rows.map(view)
}

const runningBlackholes = (db: Db, accountId: AccountId) =>
  db.selectFrom('transit_blackholes').where('account_id', '=', accountId).where('ended_at', 'is', null)

const view = (row: { id: number; address: string; created_at: Date; expires_at: Date }): Blackhole => ({
  id: row.id,
  address: row.address,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})
