/** Records that an edge has no agent once its process is gone. Run by the lead worker. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { isGone, lastDriver, leaseKeyOf } from '../../platform/leases/agent-lease.ts'
import { recordEdge } from './record.ts'

/** Waits after the start, because the edge's agent may be starting too. */
const PATIENCE_MS = 5_000

export function staleEdgeAgentReconciler({ db }: { db: Db }, patienceMs = PATIENCE_MS): Reconciler {
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
      await recordEdge(db, id, {
        error_kind: 'no_agent',
        error: explainAbsence(edge.slug, edge.process, edge.renewed_at),
      })
    },
  }
}

export const explainAbsence = (slug: string, process: string | null, seen: Date | null): string =>
  `No agent is running: ${lastDriver(process, seen)} Start longhaul-agent beside ${slug}.`

/** Edges without a live process that are not yet marked `no_agent`. A new edge gets some time first. */
const listAbandoned = (db: Db, id?: number) =>
  db
    .selectFrom('transit_edges')
    .leftJoin('leases as lease', (join) =>
      join.on('lease.key', '=', leaseKeyOf('transit_edge_agents', 'transit_edges.slug')),
    )
    .select(['transit_edges.id', 'transit_edges.slug', 'process'])
    .select('renewed_at')
    .where('error_kind', 'is distinct from', 'no_agent')
    .where(isGone, '=', true)
    .where((eb) =>
      eb.or([eb('renewed_at', 'is not', null), eb('added_at', '<', sql<Date>`now() - interval '30 seconds'`)]),
    )
    .$if(id !== undefined, (query) => query.where('transit_edges.id', '=', id!))
    .execute()
