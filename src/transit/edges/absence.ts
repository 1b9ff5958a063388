/** Says of an edge whose process is gone that nobody watches it. Run by whoever leads the workers. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { isAlive } from '../../platform/driving/claims.ts'
import { recordEdge } from './record.ts'

/** The process that has just started may be the one. */
const PATIENCE_MS = 5_000

export function edgeAbsence({ db }: { db: Db }, patienceMs = PATIENCE_MS): Reconciler {
  const began = performance.now()
  return {
    name: 'edge-absence',
    everyMs: 5_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      if (performance.now() - began < patienceMs) return []
      return (await listAbandoned(db)).map(({ id }) => id)
    },
    async reconcile(id) {
      const [edge] = await listAbandoned(db, id)
      if (!edge) return
      const last = edge.process ? `last seen was ${edge.process} at ${edge.seen}.` : 'none has connected yet.'
      await recordEdge(db, id, {
        error_kind: 'away',
        error: `No agent is running: ${last} Start one beside it with ROLE=edge EDGE_NAME=${edge.slug}`,
      })
    },
  }
}

/** Those that do not count as away though no process lives that drives them. One that was just added is given time. */
const listAbandoned = (db: Db, id?: number) =>
  db
    .selectFrom('transit_edges')
    .leftJoin('transit_edge_drivers', 'transit_edge_drivers.slug', 'transit_edges.slug')
    .select(['transit_edges.id', 'transit_edges.slug', 'process'])
    .select(sql<string>`to_char(seen_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`.as('seen'))
    .where('error_kind', 'is distinct from', 'away')
    .where(isAlive, '=', false)
    .where((eb) =>
      eb.or([eb('seen_at', 'is not', null), eb('added_at', '<', sql<Date>`now() - interval '30 seconds'`)]),
    )
    .$if(id !== undefined, (query) => query.where('transit_edges.id', '=', id!))
    .execute()
