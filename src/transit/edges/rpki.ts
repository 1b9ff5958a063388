/**
 * Monitors the origin validation of the edges. Each edge reports what it validates with, and the lead worker compares
 * that with the portal's own VRPs. Without this check, an edge with an empty table looks healthy while it accepts every
 * hijack.
 */
import { EdgeError, type EdgeRpki } from '../../drivers/edge/index.ts'
import type { RpkiSource, RpkiStatusReport } from '../../drivers/rpki/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import { ownEdge } from './own-edge.ts'
import { recordEdge } from './record.ts'

const EVERY_MS = 10_000
/** Validators fetch at different times and differ by some objects. A difference of a tenth means a missing trust anchor. */
const FAR = 0.1
/** A tenth of a short list is only a few objects. */
const FAR_AT_LEAST = 50

/** Run by the process that drives the edge. */
export function edgeRpkiReconciler({ db, clock, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  return {
    name: 'edge-rpki',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: () => null,
    due: () => own.due(),
    async reconcile(id) {
      const seen = await edge.rpki().catch((error: unknown) => {
        // The session job reports that the edge does not answer. The last report stays, with its time.
        if (error instanceof EdgeError) return undefined
        throw error
      })
      if (seen === undefined) return
      await inTransaction(db, (transaction) => record(transaction, id, seen, clock.now()))
    },
  }
}

async function record(db: Db, id: number, seen: EdgeRpki | null, at: Date): Promise<void> {
  const before = await db
    .selectFrom('transit_edges')
    .select(['rpki_vrps as vrps', 'rpki_caches as caches'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await recordEdge(db, id, {
    rpki_vrps: seen && seen.vrps,
    rpki_caches: seen && JSON.stringify(seen.caches),
    rpki_seen_at: seen && at,
    ...(seen === null && { rpki_error: null }),
  })
  // For the lead worker, which compares, and for screens.
  if (wordsOf(before) !== wordsOf(seen)) await publish(db, { type: 'edge', id, accountId: null })
}

const wordsOf = (seen: { readonly vrps: number | null; readonly caches: EdgeRpki['caches'] | null } | null): string =>
  [seen?.vrps ?? '', ...(seen?.caches ?? []).map(({ name, up, status }) => `${name} ${up} ${status}`)].join()

/** Run by the lead worker, the only process with the portal's RPKI source. */
export function rpkiComparer({ db, rpki }: { db: Db; rpki: Pick<RpkiSource, 'report'> }): Reconciler {
  return {
    name: 'edge-rpki-comparison',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'edge' ? changeEvent.id : null),
    async due() {
      const rows = await db.selectFrom('transit_edges').select('id').where('rpki_seen_at', 'is not', null).execute()
      return rows.map(({ id }) => id)
    },
    async reconcile(id) {
      await inTransaction(db, async (transaction) => {
        const edge = await transaction
          .selectFrom('transit_edges')
          .select(['rpki_vrps', 'rpki_caches', 'rpki_error'])
          .where('id', '=', id)
          .where('rpki_seen_at', 'is not', null)
          .forUpdate()
          .executeTakeFirst()
        if (!edge) return
        const error = rpkiError({ vrps: edge.rpki_vrps ?? 0, caches: edge.rpki_caches ?? [] }, rpki.report())
        if (error !== edge.rpki_error) await recordEdge(transaction, id, { rpki_error: error })
      })
    },
  }
}

/** Returns why the origin validation of an edge cannot be relied on; null where it can. */
export function rpkiError(edge: EdgeRpki, portal: RpkiStatusReport): string | null {
  const down = edge.caches.filter(({ up }) => !up).map(({ name, status }) => `${name} (${status})`)
  const sentences = [
    edge.vrps === 0 && 'The edge has no VRPs: it rejects no RPKI Invalid route.',
    down.length > 0 &&
      `RTR sessions down: ${down.join(', ')}; ${edge.caches.length - down.length} of ${edge.caches.length} up.`,
    edge.vrps > 0 && isFar(edge.vrps, portal) && `The edge has ${edge.vrps} VRPs and the portal ${portal.count}.`,
  ]
  return sentences.filter(Boolean).join(' ') || null
}

/** Returns false when the portal has no current data of its own to compare with. */
function isFar(vrps: number, portal: RpkiStatusReport): boolean {
  if (portal.state !== 'current' || portal.count === 0) return false
  const apart = Math.abs(vrps - portal.count)
  return apart >= FAR_AT_LEAST && apart > FAR * Math.max(vrps, portal.count)
}
