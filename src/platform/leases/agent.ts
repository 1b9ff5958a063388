/** Drives one hypervisor or edge from this process while it holds the lease, whenever no other process does. */
import { systemClock, type Clock } from '../../kernel/clock.ts'
import type { Db } from '../db/index.ts'
import type { ChangeBus } from '../events.ts'
import { explainSkew, holdLease, underLease, type LastHolder } from './index.ts'
import type { Log } from '../log.ts'
import { runReconciler, type ReconcilerStats, type Reconciler } from '../reconcile.ts'
import { leaseKey, recordWaiting, type AgentsTable } from './agent-lease.ts'

const WAITING_EVERY_MS = 10_000

export interface LeaseOptions {
  readonly databaseUrl: string
  readonly db: Db
  readonly clock?: Clock
  readonly bus: ChangeBus
  readonly log: Log
  readonly reconcilerStats: ReconcilerStats
  /** The table with the reports of the process. */
  readonly table: AgentsTable
  readonly slug: string
  /** The process, in words that help a person find it. */
  readonly process: string
  /**
   * Writes what this process reports, in the transaction that takes the lease. A returned string rejects the lease and
   * says why.
   */
  readonly lease: (transaction: Db, before: LastHolder | null) => Promise<string | null>
  /** Runs while this process holds the lease. */
  readonly reconcilers: readonly Reconciler[]
  readonly onLeaseGained?: () => void
  /** This process no longer drives it, or never did: another does. */
  readonly onLeaseLost?: () => void
  readonly onError: (error: Error) => void
}

export interface AgentHandle {
  /** Returns the epoch of the lease, or null while this process does not drive. */
  readonly term: () => string | null
  readonly close: () => Promise<void>
}

export async function runWithLease(options: LeaseOptions): Promise<AgentHandle> {
  const { db, table, slug, onError } = options
  const key = leaseKey(table, slug)
  const log = options.log.child({ drives: key })
  let work: Promise<unknown> = Promise.resolve()
  let said: string | null = null
  let saidAt = Number.NEGATIVE_INFINITY

  const wait = (why: string): void => {
    options.onLeaseLost?.()
    const isChanged = why !== said
    if (!isChanged && performance.now() - saidAt < WAITING_EVERY_MS) return
    said = why
    saidAt = performance.now()
    if (isChanged) log.info({ why }, 'waits to drive it')
    void recordWaiting(db, table, slug, `${options.process} waits. ${why}`).catch(onError)
  }

  const holder = await holdLease({
    url: options.databaseUrl,
    key,
    process: options.process,
    clock: options.clock ?? systemClock,
    admit: options.lease,
    onError,
    onWaiting: (denial) => wait(denial ?? 'Another process drives it.'),
    onSkew: (ms) => {
      if (ms === null) return log.info('the clock is right again')
      if (said !== 'skew') log.error({ skewMs: ms }, `does not drive: ${explainSkew(ms)}`)
      said = 'skew'
      options.onLeaseLost?.()
    },
    onGained: (lease) => {
      said = null
      options.onLeaseGained?.()
      log.info({ epoch: lease.epoch }, 'drives it')
      const { bus, reconcilerStats } = options
      const { signal } = lease
      work = Promise.all(
        options.reconcilers.map((one) => runReconciler(underLease(one, lease), { bus, log, reconcilerStats, signal })),
      )
    },
    onLost: async () => {
      options.onLeaseLost?.()
      log.info('drives it no more')
      await work
    },
  })
  return { term: () => holder.lease()?.epoch ?? null, close: () => holder.close() }
}
