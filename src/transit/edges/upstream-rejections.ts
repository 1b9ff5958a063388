/**
 * Stores which routes each edge rejected from its upstreams, and why, so that staff can tell an upstream about a broken
 * path. Customers read rejections of their own routes in the looking glass.
 */
import { EdgeError, type EdgeDriver } from '../../drivers/edge/index.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import type { RejectionReport } from './rejection-report.ts'
import { ownEdge } from './own-edge.ts'
import { recordEdge } from './record.ts'

/** BIRD walks its whole table for it, which takes up to a second of its only core (decision 56). */
const EVERY_MS = 300_000

export function upstreamRejectionReconciler({ db, clock, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  return {
    name: 'edge-upstream-rejections',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: () => null,
    due: () => own.due(),
    async reconcile(id) {
      const report = await reportOf(edge, clock.now())
      if (report === null) return
      await inTransaction(db, async (transaction) => {
        const { upstream_rejections: before } = await transaction
          .selectFrom('transit_edges')
          .select('upstream_rejections')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await recordEdge(transaction, id, { upstream_rejections: JSON.stringify(report) })
        if (wordsOf(before) !== wordsOf(report)) await publish(transaction, { type: 'edge', id, accountId: null })
      })
    },
  }
}

async function reportOf(edge: EdgeDriver, at: Date): Promise<RejectionReport | null> {
  const seen = await edge.refusedFromUpstreams().catch((error: unknown) => {
    // The session job reports that the edge does not answer. An agent of the previous release does not know this query.
    if (error instanceof EdgeError) return null
    throw error
  })
  return (
    seen && {
      seenAt: at.toISOString(),
      logError: seen.logError,
      malformed: edge.capabilities.malformedUpdates,
      rejections: seen.rejections.map((one) => ({ ...one, at: one.at.toISOString() })),
    }
  )
}

/** Excludes times: an upstream that sends the same again changes no screen. */
const wordsOf = (report: RejectionReport | null): string =>
  report === null
    ? ''
    : [report.logError, ...report.rejections.map((one) => `${one.upstream} ${one.prefix} ${one.rejection}`)].join()
