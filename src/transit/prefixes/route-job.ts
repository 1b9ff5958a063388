/** Observes the routes of each prefix that the edge holds: received, accepted or rejected with a reason, and exported. */
import type { EdgeRoute } from '../../drivers/edge/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import { ownEdge } from '../edges/own-edge.ts'
import { publishPrefixChanged } from '../events.ts'
import { valueOf, type PrefixRow } from '../prefix-row.ts'
import { OCCUPYING_STATUSES } from '../states.ts'

/** While a customer waits for an approved prefix to come up. */
const EAGER_MS = 5_000
/** Otherwise, to notice withdrawals. */
const ROUTINE_MS = 30_000
const MAX_ROUTES = 5_000

export function routeReconciler({ db, clock, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  return {
    name: 'routes',
    everyMs: EAGER_MS,
    concurrency: 2,
    // A session that came up, or whose route count changed, may have new routes.
    wakes: (changeEvent) => (changeEvent.type === 'session' ? changeEvent.id : null),
    async due() {
      const [edgeId] = await own.due()
      if (edgeId === undefined) return []
      const now = clock.now().getTime()
      const rows = await db
        .selectFrom('transit_connections as connection')
        .innerJoin('transit_prefixes as prefix', 'prefix.account_id', 'connection.account_id')
        .select(['connection.id', 'connection.routes_seen_at'])
        .select((eb) => eb.fn('bool_or', [eb('prefix.accepted_at', 'is', null)]).as('waits'))
        .where('connection.edge_id', '=', edgeId)
        .where('prefix.imported_at', 'is not', null)
        .groupBy('connection.id')
        .orderBy('connection.routes_seen_at', (order) => order.asc().nullsFirst())
        .execute()
      return rows
        .filter((row) => now - (row.routes_seen_at?.getTime() ?? 0) >= (row.waits ? EAGER_MS : ROUTINE_MS) - 500)
        .slice(0, 200)
        .map((row) => row.id)
    },
    async reconcile(id) {
      const held = await db
        .selectFrom('transit_connections')
        .select('id')
        .where('id', '=', id)
        .where('edge_id', '=', idOf(db, edgeName))
        .executeTakeFirst()
      if (!held) return
      const routes = await edge.routes(id, MAX_ROUTES)
      await inTransaction(db, (transaction) => record(transaction, edgeName, id, routes, clock.now()))
    },
  }
}

/** Every process gets session change events. If this edge has no routes of another edge's connection, that means nothing. */
const idOf = (db: Db, edgeName: string) => db.selectFrom('transit_edges').select('id').where('slug', '=', edgeName)

async function record(
  db: Db,
  edgeName: string,
  connectionId: number,
  routes: readonly EdgeRoute[],
  at: Date,
): Promise<void> {
  const connection = await db
    .updateTable('transit_connections')
    .set({ routes_seen_at: at })
    .where('id', '=', connectionId)
    .where('edge_id', '=', idOf(db, edgeName))
    .returning('account_id')
    .executeTakeFirst()
  if (!connection) return
  const heard = Map.groupBy(routes, (route) => route.prefix)
  const rows = await db
    .selectFrom('transit_prefixes')
    .selectAll()
    .where('account_id', '=', connection.account_id)
    .where('status', 'in', OCCUPYING_STATUSES)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const seen = observe(row, heard.get(valueOf(row)) ?? [], at)
    if (!differs(row, seen)) continue
    await db.updateTable('transit_prefixes').set(seen).where('id', '=', row.id).execute()
    await publishPrefixChanged(db, row)
  }
}

type Observation = Pick<PrefixRow, 'received_at' | 'accepted_at' | 'exported_at' | 'lost_at' | 'rejection'>

/**
 * Each time is when the routes were first seen in that state, and null as soon as they are not. `lost_at` is when an
 * announced prefix was first missing, until it is announced again.
 */
export function observe(before: Observation, routes: readonly EdgeRoute[], at: Date): Observation {
  const accepted = routes.some((route) => route.accepted)
  const exported = routes.some((route) => route.accepted && route.exported === true)
  return {
    received_at: routes.length > 0 ? (before.received_at ?? at) : null,
    accepted_at: accepted ? (before.accepted_at ?? at) : null,
    exported_at: exported ? (before.exported_at ?? at) : null,
    lost_at: exported ? null : before.exported_at ? at : before.lost_at,
    rejection: accepted ? null : (routes.find((route) => route.rejection !== null)?.rejection ?? null),
  }
}

const differs = (before: Observation, after: Observation): boolean =>
  before.received_at?.getTime() !== after.received_at?.getTime() ||
  before.accepted_at?.getTime() !== after.accepted_at?.getTime() ||
  before.exported_at?.getTime() !== after.exported_at?.getTime() ||
  before.lost_at?.getTime() !== after.lost_at?.getTime() ||
  before.rejection !== after.rejection
