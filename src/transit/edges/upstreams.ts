/**
 * Monitors the edge's sessions with its upstreams. When the last one goes down, all customers of the edge lose the
 * Internet. When one of two goes down, half of the capacity is lost. Every customer's own session stays up.
 */
import { EdgeError, type UpstreamSession } from '../../drivers/edge/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import { ownEdge } from './own-edge.ts'
import { recordEdge } from './record.ts'

const EVERY_MS = 10_000

export function upstreamReconciler({ db, clock, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  return {
    name: 'edge-upstreams',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: () => null,
    due: () => own.due(),
    async reconcile(id) {
      const seen = await edge.upstreams().catch((error: unknown) => {
        // The session job reports that the edge does not answer. An agent of the previous release does not know this query.
        if (error instanceof EdgeError) return null
        throw error
      })
      if (seen !== null) await inTransaction(db, (transaction) => record(transaction, id, seen, clock.now()))
    },
  }
}

async function record(db: Db, edgeId: number, seen: readonly UpstreamSession[], at: Date): Promise<void> {
  const rows = await db.selectFrom('transit_upstreams').selectAll().where('edge_id', '=', edgeId).execute()
  const before = new Map(rows.map((row) => [row.name, row]))
  const changed = seen.filter((one) => {
    const known = before.get(one.name)
    return !known || known.state !== one.state || known.last_error !== one.lastError
  })
  for (const { lastError, ...figures } of seen) {
    const down_since = isDown(figures) ? (before.get(figures.name)?.down_since ?? earlier(figures.since, at)) : null
    const row = { ...figures, last_error: lastError, down_since }
    await db
      .insertInto('transit_upstreams')
      .values({ edge_id: edgeId, ...row })
      .onConflict((conflict) => conflict.columns(['edge_id', 'name']).doUpdateSet(row))
      .execute()
    before.delete(figures.name)
  }
  if (before.size > 0) {
    await db
      .deleteFrom('transit_upstreams')
      .where('edge_id', '=', edgeId)
      .where('name', 'in', [...before.keys()])
      .execute()
  }
  await recordEdge(db, edgeId, { upstreams_at: at, upstreams_error: upstreamsError(seen) })
  if (changed.length > 0 || before.size > 0) await publish(db, { type: 'edge', id: edgeId, accountId: null })
}

/** A session that its operator disabled is not down. */
const isDown = ({ state }: Pick<UpstreamSession, 'state'>): boolean => state !== 'ESTABLISHED' && state !== 'DISABLED'

/** The edge's clock may be ahead of ours. */
const earlier = (since: Date | null, at: Date): Date => (since !== null && since < at ? since : at)

/** Describes the sessions that are down; null where none is. */
export function upstreamsError(
  sessions: readonly Pick<UpstreamSession, 'name' | 'state' | 'lastError'>[],
): string | null {
  const down = sessions
    .filter(isDown)
    .map(({ name, lastError }) => (lastError === null ? name : `${name} (${lastError})`))
  if (down.length === 0) return null
  const up = sessions.filter(({ state }) => state === 'ESTABLISHED').length
  return `Upstream sessions down: ${down.join(', ')}; ${up} of ${sessions.length} up.`.slice(0, 1_000)
}
