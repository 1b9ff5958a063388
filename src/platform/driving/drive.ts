/** Drives one thing from this process, whenever no other does: for as long as it holds the lease. */
import { systemClock, type Clock } from '../../kernel/clock.ts'
import type { Db } from '../db/index.ts'
import type { NewsBus } from '../events.ts'
import { explainSkew, holdLease, underLease, type LastHolder } from '../leases/index.ts'
import type { Log } from '../log.ts'
import { runReconciler, type ReconcileBoard, type Reconciler } from '../reconcile.ts'
import { leaseKey, noteWaiting, type DriversTable } from './claims.ts'

const WAITING_EVERY_MS = 10_000

export interface DriveOptions {
  /** Of the database. */
  readonly databaseUrl: string
  readonly db: Db
  readonly clock?: Clock
  readonly bus: NewsBus
  readonly log: Log
  readonly board: ReconcileBoard
  /** Where it is kept what a process tells of what it drives. */
  readonly table: DriversTable
  readonly slug: string
  /** The process, in words that lead a person to it. */
  readonly process: string
  /** Writes what this process tells, in the transaction that takes the lease. A string refuses it, and says why. */
  readonly claim: (transaction: Db, before: LastHolder | null) => Promise<string | null>
  /** What runs while this process drives it, under the lease. */
  readonly reconcilers: readonly Reconciler[]
  readonly onDriving?: () => void
  /** It drives it no more, or never did: another does. */
  readonly onIdle?: () => void
  readonly onTrouble: (error: Error) => void
}

export interface Driving {
  /** The epoch of the lease; null while this process does not drive. */
  readonly term: () => string | null
  readonly close: () => Promise<void>
}

export async function driveAlone(options: DriveOptions): Promise<Driving> {
  const { db, table, slug, onTrouble } = options
  const key = leaseKey(table, slug)
  const log = options.log.child({ drives: key })
  let work: Promise<unknown> = Promise.resolve()
  let said: string | null = null
  let saidAt = Number.NEGATIVE_INFINITY

  const wait = (why: string): void => {
    options.onIdle?.()
    const isNews = why !== said
    if (!isNews && performance.now() - saidAt < WAITING_EVERY_MS) return
    said = why
    saidAt = performance.now()
    if (isNews) log.info({ why }, 'waits to drive it')
    void noteWaiting(db, table, slug, `${options.process} waits. ${why}`).catch(onTrouble)
  }

  const holder = await holdLease({
    url: options.databaseUrl,
    key,
    process: options.process,
    clock: options.clock ?? systemClock,
    admit: options.claim,
    onTrouble,
    onWaiting: (refusal) => wait(refusal ?? 'Another process drives it.'),
    onSkew: (ms) => {
      if (ms === null) return log.info('the clock is right again')
      if (said !== 'skew') log.error({ skewMs: ms }, `does not drive: ${explainSkew(ms)}`)
      said = 'skew'
      options.onIdle?.()
    },
    onGained: (lease) => {
      said = null
      options.onDriving?.()
      log.info({ epoch: lease.epoch }, 'drives it')
      const { bus, board } = options
      const { signal } = lease
      work = Promise.all(
        options.reconcilers.map((one) => runReconciler(underLease(one, lease), { bus, log, board, signal })),
      )
    },
    onLost: async () => {
      options.onIdle?.()
      log.info('drives it no more')
      await work
    },
  })
  return { term: () => holder.lease()?.epoch ?? null, close: () => holder.close() }
}
