/**
 * Returns an edge to the prefixes of an earlier load until staff end the revert. Sessions, addresses and ASNs stay
 * current, because an old address may belong to somebody else now. Later decisions against a prefix still apply. See
 * docs/decisions/0032-edge-loads.md.
 */
import { sql } from 'kysely'
import { conflict, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { recordEdgeEvent } from '../events.ts'
import '../tables.ts'
import type { PrefixStatus } from '../states.ts'
import { routeKey, type RevertedPrefix } from './changes.ts'

/** A revert must not restore what staff rejected or the customer withdrew. */
const RESTORABLE: readonly PrefixStatus[] = ['APPROVED', 'PENDING', 'NEEDS_ACTION', 'SUSPENDED']

export interface RevertRequest {
  readonly edgeId: number
  readonly loadId: number
  readonly reason: string
  readonly now: Date
}

export async function revertEdge(db: Db, actor: Actor, { edgeId, loadId, reason, now }: RevertRequest): Promise<void> {
  const edge = await lockEdge(db, edgeId)
  const load = await db
    .selectFrom('transit_edge_loads')
    .select(['id', 'state', 'generation'])
    .where('edge_id', '=', edgeId)
    .where('id', '=', loadId)
    .executeTakeFirst()
  if (!load) throw notFound()
  if (load.state !== 'LOADED') throw conflict(`The load is ${load.state}; only one that was LOADED can be returned to.`)
  const wanted = await readPrefixesAsOf(db, edgeId, loadId)
  const rows = await db
    .selectFrom('transit_prefixes as prefix')
    .innerJoin('transit_connections as connection', 'connection.account_id', 'prefix.account_id')
    .select(['prefix.id', 'prefix.status', 'prefix.decided_at', 'connection.id as connection_id'])
    .select(sql<string>`prefix.value::text`.as('value'))
    .where('prefix.status', 'in', RESTORABLE)
    .where((eb) => eb('connection.id', '=', eb.fn.any(eb.val([...wanted.connections]))))
    .execute()
  const found = rows.filter((row) => wanted.keys.has(routeKey(row.connection_id, row.value)))
  const prefixes: RevertedPrefix[] = found.map((row) => ({
    id: row.id,
    status: row.status,
    decidedAt: row.decided_at?.toISOString() ?? null,
  }))
  const missing = wanted.keys.size - prefixes.length
  await db
    .updateTable('transit_edges')
    .set({
      reverted_to: loadId,
      reverted_at: now,
      reverted_by: actor.userId,
      reverted_reason: reason,
      reverted_prefixes: JSON.stringify(prefixes),
      reverted_missing: missing,
    })
    .where('id', '=', edgeId)
    .execute()
  await recordEdgeEvent(db, actor, 'edge.reverted', edge.id, {
    reason,
    load: loadId,
    generation: load.generation,
    prefixes: prefixes.length,
    missing,
  })
}

export async function endRevert(db: Db, actor: Actor, edgeId: number): Promise<void> {
  const edge = await lockEdge(db, edgeId)
  if (edge.reverted_to === null) throw conflict('The edge is not reverted.')
  await db
    .updateTable('transit_edges')
    .set({
      reverted_to: null,
      reverted_at: null,
      reverted_by: null,
      reverted_reason: null,
      reverted_prefixes: null,
      reverted_missing: null,
    })
    .where('id', '=', edgeId)
    .execute()
  await recordEdgeEvent(db, actor, 'edge.revert_ended', edgeId, { load: Number(edge.reverted_to) })
}

export interface ConfirmRequest {
  readonly edgeId: number
  readonly loadId: number
  readonly reason: string
  readonly now: Date
}

/** Confirms what the load would drop, whatever else it changes by the time it is loaded. */
export async function confirmLoad(db: Db, actor: Actor, request: ConfirmRequest): Promise<void> {
  const { edgeId, loadId, reason, now } = request
  await lockEdge(db, edgeId)
  const load = await db
    .selectFrom('transit_edge_loads')
    .select(['id', 'state', 'generation', 'detail'])
    .where('edge_id', '=', edgeId)
    .where('id', '=', loadId)
    .forUpdate()
    .executeTakeFirst()
  if (!load) throw notFound()
  if (load.state !== 'WAITING') throw conflict(`The load is ${load.state}; only one that is WAITING can be confirmed.`)
  await db
    .updateTable('transit_edge_loads')
    .set({ state: 'CONFIRMED', confirmed_by: actor.userId, confirmed_at: now, confirmed_reason: reason })
    .where('id', '=', loadId)
    .execute()
  await recordEdgeEvent(db, actor, 'edge.load_confirmed', edgeId, { reason, load: loadId, drops: load.detail })
}

/** Returns the prefixes of an earlier load: those the edge carries now, with the changes of later loads undone. */
async function readPrefixesAsOf(db: Db, edgeId: number, loadId: number) {
  const now = await db
    .selectFrom('transit_prefixes as prefix')
    .innerJoin('transit_connections as connection', 'connection.account_id', 'prefix.account_id')
    .select(['connection.id', sql<string>`prefix.value::text`.as('value')])
    .where('prefix.imported_edge', '=', edgeId)
    .where('prefix.imported_at', 'is not', null)
    .execute()
  const keys = new Set(now.map(({ id, value }) => routeKey(id, value)))
  const later = await db
    .selectFrom('transit_edge_loads')
    .select('changes')
    .where('edge_id', '=', edgeId)
    .where('id', '>', loadId)
    .where('state', '=', 'LOADED')
    .orderBy('id', 'desc')
    .execute()
  for (const { changes } of later)
    for (const { id, added, removed } of changes) {
      for (const { prefix } of added) keys.delete(routeKey(id, prefix))
      for (const { prefix } of removed) keys.add(routeKey(id, prefix))
    }
  return { keys, connections: new Set([...keys].map((key) => Number.parseInt(key, 10))) }
}

async function lockEdge(db: Db, id: number) {
  const edge = await db
    .selectFrom('transit_edges')
    .select(['id', 'reverted_to'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!edge) throw notFound()
  return edge
}

/** The edge follows it like any decision. */
