/** Writes what is known about an edge. Publishes a change event only when readers would see a difference; new times alone do not count. */
import type { Updateable } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { publish, publishAll } from '../../platform/events.ts'
import type { TransitEdgesTable } from './tables.ts'

type EdgeRecord = Pick<
  Updateable<TransitEdgesTable>,
  | 'wanted_generation'
  | 'running_generation'
  | 'applied_at'
  | 'attempted_at'
  | 'error_kind'
  | 'error'
  | 'neighbors_error'
  | 'neighbors_at'
  | 'rpki_vrps'
  | 'rpki_caches'
  | 'rpki_seen_at'
  | 'rpki_error'
  | 'upstreams_at'
  | 'upstreams_error'
  | 'upstream_rejections'
  | 'lacks'
>

export async function recordEdge(db: Db, id: number, record: EdgeRecord): Promise<void> {
  const before = await db
    .selectFrom('transit_edges')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db.updateTable('transit_edges').set(record).where('id', '=', id).execute()
  const differs = (
    ['wanted_generation', 'running_generation', 'error', 'neighbors_error', 'rpki_error', 'upstreams_error'] as const
  ).some((field) => record[field] !== undefined && record[field] !== before[field])
  if (differs) await publish(db, { type: 'edge', id, accountId: null })
  if (record.error_kind !== undefined && record.error_kind !== before.error_kind) await publishToCustomers(db, id)
}

/** Publishes to customers whose sessions become stale or current again. */
async function publishToCustomers(db: Db, edgeId: number): Promise<void> {
  const carried = await db
    .selectFrom('transit_connections')
    .select(['id', 'account_id'])
    .where('edge_id', '=', edgeId)
    .execute()
  await publishAll(
    db,
    carried.map(({ id, account_id: accountId }) => ({ type: 'connection', id, accountId })),
  )
}
