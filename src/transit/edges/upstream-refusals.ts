/**
 * Keeps what each edge refused from its upstreams, and why, so that staff can tell an upstream that sends a broken path. A
 * customer reads that of their own routes when they ask.
 */
import { EdgeError, type EdgeDriver } from '../../drivers/edge/index.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import type { RefusalReport } from './refusal-report.ts'
import { ownEdge } from './own-edge.ts'
import { recordEdge } from './record.ts'

/** It looks through the whole table of each upstream. */
const EVERY_MS = 60_000

export function upstreamRefusalReconciler({ db, clock, edge, edgeName }: EdgeDeps): Reconciler {
  const own = ownEdge(db, edgeName)
  return {
    name: 'edge-upstream-refusals',
    everyMs: EVERY_MS,
    concurrency: 1,
    wakes: () => null,
    due: () => own.due(),
    async reconcile(id) {
      const report = await reportOf(edge, clock.now())
      if (report === null) return
      await inTransaction(db, async (transaction) => {
        const { upstream_refusals: before } = await transaction
          .selectFrom('transit_edges')
          .select('upstream_refusals')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await recordEdge(transaction, id, { upstream_refusals: JSON.stringify(report) })
        if (wordsOf(before) !== wordsOf(report)) await publish(transaction, { type: 'edge', id, userId: null })
      })
    },
  }
}

async function reportOf(edge: EdgeDriver, at: Date): Promise<RefusalReport | null> {
  const seen = await edge.refusedFromUpstreams().catch((error: unknown) => {
    // That it does not answer, the sessions' job says; an agent of the release before knows no such question.
    if (error instanceof EdgeError) return null
    throw error
  })
  return (
    seen && {
      seenAt: at.toISOString(),
      logError: seen.logError,
      malformed: edge.capabilities.malformedUpdates,
      refusals: seen.refusals.map((one) => ({ ...one, at: one.at.toISOString() })),
    }
  )
}

/** Without times: an upstream that sends the same again changes no screen. */
const wordsOf = (report: RefusalReport | null): string =>
  report === null
    ? ''
    : [report.logError, ...report.refusals.map((one) => `${one.upstream} ${one.prefix} ${one.rejection}`)].join()
