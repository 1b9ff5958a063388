/**
 * Stores each load of an edge as a row, written before it is tried: its changes, their causes, and the outcome. A load
 * that drops too much waits until staff confirm it or the desired state changes. See docs/decisions/0032-edge-loads.md.
 */
import { sql } from 'kysely'
import type { CarriedCustomer } from '../../drivers/edge/index.ts'
import { suspendedByStaff } from '../../accounts/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { assignedEdge } from '../edges/edge-assignment.ts'
import '../tables.ts'
import { compareCarried, routeKey, shrinkOf, type CustomerChange, type Shrink } from './changes.ts'

/** The number of loads kept for each edge, and so how far back a revert can go. */
const MAX_LOADS = 500
const MAX_CAUSES = 10

export const OPEN_STATES = ['WAITING', 'CONFIRMED', 'LOADING', 'FAILED'] as const

export interface NextLoad {
  readonly edgeId: number
  readonly generation: string
  readonly previous: string | null
  readonly before: readonly CarriedCustomer[]
  readonly after: readonly CarriedCustomer[]
  /** The share that the load may drop. */
  readonly limit: number
  readonly at: Date
}

export interface StartedLoad {
  readonly id: number
  /** The drop that staff have to confirm first; null: it may proceed. */
  readonly waits: Shrink | null
}

export function startLoad(db: Db, load: NextLoad): Promise<StartedLoad> {
  const { edgeId, generation, before } = load
  const changes = compareCarried(before, load.after)
  return inTransaction(db, async (transaction) => {
    const open = await transaction
      .selectFrom('transit_edge_loads')
      .select(['id', 'generation', 'dropped', 'confirmed_at'])
      .where('edge_id', '=', edgeId)
      .where('state', 'in', OPEN_STATES)
      .forUpdate()
      .executeTakeFirst()
    const shrink = changes.some(({ removed, what }) => removed.length > 0 || what === 'removed' || what === 'disabled')
      ? shrinkOf({
          before,
          changes,
          limit: load.limit,
          decided: await readDecided(transaction, edgeId, changes),
          accepted: await readAccepted(transaction, edgeId),
        })
      : null
    // Its other changes may differ by now: staff confirm what it drops.
    const same = open && (shrink ? open.dropped === shrink.digest : open.generation === generation)
    const confirmed = shrink === null || (same && open.confirmed_at !== null)
    const values = {
      state: confirmed ? ('LOADING' as const) : ('WAITING' as const),
      generation,
      previous_generation: load.previous,
      changes: JSON.stringify(changes),
      ...countChanges(changes),
      dropped: shrink?.digest ?? null,
      detail: shrink?.why ?? null,
    }
    const waits = confirmed ? null : shrink
    if (same) {
      await transaction.updateTable('transit_edge_loads').set(values).where('id', '=', open.id).execute()
      return { id: open.id, waits }
    }
    if (open) {
      await transaction
        .updateTable('transit_edge_loads')
        .set({ state: 'SUPERSEDED' })
        .where('id', '=', open.id)
        .execute()
    }
    const { id } = await transaction
      .insertInto('transit_edge_loads')
      .values({ ...values, edge_id: edgeId, at: load.at, ...(await readCauses(transaction, edgeId, changes)) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await forgetOld(transaction, edgeId)
    return { id, waits }
  })
}

/** Records that the edge confirmed the load. */
export const finishLoad = (db: Db, id: number): Promise<unknown> =>
  db.updateTable('transit_edge_loads').set({ state: 'LOADED' }).where('id', '=', id).execute()

export const failLoad = (db: Db, id: number, error: string): Promise<unknown> =>
  db
    .updateTable('transit_edge_loads')
    .set({ state: 'FAILED', detail: error.slice(0, 2_000) })
    .where('id', '=', id)
    .execute()

/**
 * Closes open loads once the edge runs the desired state. A process that died before it recorded the edge's
 * confirmation left its load open. A load that waited is no longer wanted.
 */
export async function settleOpenLoad(db: Db, edgeId: number, generation: string): Promise<void> {
  await db
    .updateTable('transit_edge_loads')
    .set({
      state: sql`case when generation = ${generation} and state <> 'WAITING' then 'LOADED' else 'SUPERSEDED' end`,
    })
    .where('edge_id', '=', edgeId)
    .where('state', 'in', OPEN_STATES)
    .execute()
}

function countChanges(changes: readonly CustomerChange[]) {
  const sum = (of: (change: CustomerChange) => number) => changes.reduce((total, change) => total + of(change), 0)
  return {
    customers_added: changes.filter(({ what }) => what === 'added' || what === 'enabled').length,
    customers_removed: changes.filter(({ what }) => what === 'removed' || what === 'disabled').length,
    prefixes_added: sum(({ added }) => added.length),
    prefixes_removed: sum(({ removed }) => removed.length),
  }
}

/**
 * Returns the customers that this edge would drop because of a decision: they belong to another edge, switched their
 * own sessions off, or were suspended by staff.
 */
async function readDecided(db: Db, edgeId: number, changes: readonly CustomerChange[]): Promise<Set<number>> {
  const removed = changes.filter(({ what }) => what === 'removed').map(({ id }) => id)
  const dropped = [...removed, ...changes.filter(({ what }) => what === 'disabled').map(({ id }) => id)]
  if (dropped.length === 0) return new Set()
  const rows = await db
    .selectFrom('transit_connections as connection')
    .select('connection.id')
    .where((eb) => eb('connection.id', '=', eb.fn.any(eb.val(dropped))))
    .where((eb) =>
      eb.or([
        eb.not('connection.enabled'),
        suspendedByStaff('connection.account_id'),
        // A connection without an edge has not moved: the comparison is null.
        eb.and([eb('connection.id', '=', eb.fn.any(eb.val(removed))), eb(assignedEdge, '<>', edgeId)]),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function readAccepted(db: Db, edgeId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('transit_prefixes as prefix')
    .innerJoin('transit_connections as connection', 'connection.account_id', 'prefix.account_id')
    .select(['connection.id', sql<string>`prefix.value::text`.as('value')])
    .where('prefix.imported_edge', '=', edgeId)
    .where('prefix.imported_at', 'is not', null)
    .where('prefix.accepted_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ id, value }) => routeKey(id, value)))
}

/** Decisions about these customers and this edge since the previous load. */
async function readCauses(db: Db, edgeId: number, changes: readonly CustomerChange[]) {
  const { last } = await db
    .selectFrom('transit_edge_loads')
    .select((eb) => eb.fn.max('audit_id').as('last'))
    .where('edge_id', '=', edgeId)
    .executeTakeFirstOrThrow()
  const ids = changes.map(({ id }) => id)
  const { rows } = await sql<{ id: number; actor: string; action: string }>`
    select max(event.id)::bigint as id, coalesce(actor.email, case event.actor_kind when 'system' then 'Longhaul' else event.actor_kind end) as actor,
      event.action
    from audit_events event left join users actor on actor.id = event.actor_id
    where event.id > ${last ?? 0} and event.at > now() - interval '1 day'
      and (event.account_id in (select account_id from transit_connections where id = any(${ids}::int[]))
        or (event.subject_type = 'edge' and event.subject_id = ${edgeId}))
      and (event.subject_type in ('prefix', 'connection', 'router', 'edge') or event.action like 'asn.%' or event.action like 'account.suspen%')
    group by 2, 3 order by 1 desc limit ${MAX_CAUSES}`.execute(db)
  const { newest } = await db
    .selectFrom('audit_events')
    .select((eb) => eb.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  return {
    causes: JSON.stringify(rows.map(({ actor, action }) => ({ actor, action }))),
    audit_id: Number(newest ?? 0),
  }
}

const forgetOld = (db: Db, edgeId: number): Promise<unknown> =>
  db
    .deleteFrom('transit_edge_loads')
    .where('edge_id', '=', edgeId)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('transit_edge_loads as kept')
        .select('kept.id')
        .where('kept.edge_id', '=', edgeId)
        .orderBy('kept.id', 'desc')
        .offset(MAX_LOADS)
        .limit(1),
    )
    .execute()
