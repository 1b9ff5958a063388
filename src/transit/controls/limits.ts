/**
 * Sessions that the edge closed because they exceeded their route limit. The row of a trip keeps the session down. BIRD
 * alone would reopen it with the next load of any customer.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { importLimit, receiveLimit, type EdgeSession } from '../../drivers/edge/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { conflict, notFound } from '../../kernel/problem.ts'
import { SYSTEM, type Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { findConnection } from '../connections/connections.ts'
import { recordConnectionEvent } from '../events.ts'
import { LIMIT_CLEAR_AFTER_MS, LIMIT_RETRY_AFTER_MS, type EdgeLack } from '../states.ts'
import '../tables.ts'

type Family = 4 | 6
type Owner = { readonly id: number; readonly account_id: AccountId }

/** Records each trip once, however often the edge is read before it has loaded that the session stays down. */
export async function recordTrips(
  db: Db,
  owners: readonly Owner[],
  sessions: readonly EdgeSession[],
  at: Date,
): Promise<void> {
  for (const { customerId, family } of sessions.filter((session) => session.tripped)) {
    const owner = owners.find(({ id }) => id === customerId)
    if (!owner) continue
    const limits = (await readRouteLimits(db, customerId))[family]
    const limit = limits.receive
    const added = await db
      .insertInto('transit_limit_trips')
      .values({ connection_id: customerId, family, tripped_at: at, receive_limit: limit, emailed_at: null })
      .onConflict((conflict) => conflict.columns(['connection_id', 'family']).doNothing())
      .returning('family')
      .execute()
    if (added.length > 0)
      await recordConnectionEvent(db, SYSTEM, owner, 'connection.limit_exceeded', {
        family,
        limit,
        accepted: limits.import,
      })
  }
}

export interface Trip {
  readonly family: Family
  readonly at: Date
  readonly limit: number
  /** When the customer may clear it, and when the edge retries without that. */
  readonly clearAt: Date
  readonly retryAt: Date
}

export async function readTrips(db: Db, connectionId: number): Promise<Trip[]> {
  const rows = await db
    .selectFrom('transit_limit_trips')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .orderBy('family')
    .execute()
  return rows.map(({ family, tripped_at: at, receive_limit: limit }) => ({
    family,
    at,
    limit,
    clearAt: new Date(at.getTime() + LIMIT_CLEAR_AFTER_MS),
    retryAt: new Date(at.getTime() + LIMIT_RETRY_AFTER_MS),
  }))
}

export interface RouteLimits {
  readonly receive: number
  /** Null if the edge does not limit accepted routes. */
  readonly import: number | null
}

/** Returns the limits that the edge has, or will get with its next load. */
export async function readRouteLimits(db: Db, connectionId: number): Promise<Record<Family, RouteLimits>> {
  const row = await db
    .selectFrom('transit_connections as connection')
    .leftJoin('transit_edges as edge', 'edge.id', 'connection.edge_id')
    .select(['receive_limit4', 'receive_limit6'])
    .select([approvedOf(4).as('approved4'), approvedOf(6).as('approved6'), 'edge.lacks'])
    .where('connection.id', '=', connectionId)
    .executeTakeFirstOrThrow()
  const { lacks } = row
  return {
    4: limitsOf(row.receive_limit4, row.approved4, lacks),
    6: limitsOf(row.receive_limit6, row.approved6, lacks),
  }
}

/** Returns the limits as the edge driver takes them. */
export function limitsOf(granted: number | null, approved: number, lacks: readonly EdgeLack[] | null): RouteLimits {
  const receive = granted ?? receiveLimit(approved)
  return { receive, import: lacks?.includes('importLimit') ? null : importLimit(receive, approved) }
}

const approvedOf = (family: Family) => sql<number>`(select count(*)::int from transit_prefixes prefix
  where prefix.account_id = connection.account_id and prefix.status = 'APPROVED'
    and prefix.announcement_type <> 'STATIC' and family(prefix.value) = ${sql.lit(family)})`

/** Clears the trip, because the customer says that the router now announces less. */
export async function clearLimit(
  { clock }: { readonly clock: Clock },
  db: Db,
  actor: Actor,
  accountId: AccountId,
  family: Family,
): Promise<void> {
  const connection = await findConnection(db, accountId)
  if (!connection) throw notFound()
  const trip = (await readTrips(db, connection.id)).find((one) => one.family === family)
  // Already cleared, or over: nothing to do.
  if (!trip) return
  if (trip.clearAt > clock.now())
    throw conflict(`The session can be cleared from ${trip.clearAt.toISOString()} on.`, 'cooling_down')
  await endTrip(db, actor, connection, family)
}

export async function endTrip(db: Db, actor: Actor, owner: Owner, family: Family): Promise<void> {
  const removed = await db
    .deleteFrom('transit_limit_trips')
    .where('connection_id', '=', owner.id)
    .where('family', '=', family)
    .returning('family')
    .execute()
  if (removed.length > 0) await recordConnectionEvent(db, actor, owner, 'connection.limit_cleared', { family })
}
