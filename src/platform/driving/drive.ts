/** Drives one thing from this process, whenever no other does: under its lock, by a claim that it keeps alive. */
import { setTimeout as sleep } from 'node:timers/promises'
import { holdLeadership, type Db } from '../db/index.ts'
import type { NewsBus } from '../events.ts'
import type { Log } from '../log.ts'
import { runReconciler, type ReconcileBoard, type Reconciler } from '../reconcile.ts'
import { GONE_AFTER_S, noteWaiting, renewClaim, type Claim, type DriversTable } from './claims.ts'

const BEAT_MS = (GONE_AFTER_S * 1_000) / 3
const WAITING_EVERY_MS = 10_000
/** So that whoever may drive it finds the lock free. */
const STAND_BACK_MS = 15_000
const TRY_AGAIN_MS = 1_000

export interface DriveOptions {
  /** Of the database. */
  readonly databaseUrl: string
  readonly db: Db
  readonly bus: NewsBus
  readonly log: Log
  readonly board: ReconcileBoard
  /** Where claims of its kind are kept. */
  readonly table: DriversTable
  readonly slug: string
  /** The process, in words that lead a person to it. */
  readonly process: string
  /** Asked by whoever holds the lock. */
  readonly claim: () => Promise<Claim>
  /** What runs while this process drives it. */
  readonly reconcilers: readonly Reconciler[]
  readonly onDriving?: () => void
  /** It drives it no more, or never did: another does. */
  readonly onIdle?: () => void
  readonly onTrouble: (error: Error) => void
}

export interface Driving {
  /** The number of the claim; null while this process does not drive. */
  readonly term: () => string | null
  readonly close: () => Promise<void>
}

const LOCKS: Readonly<Record<DriversTable, string>> = {
  hypervisor_drivers: 'longhaul hypervisor',
  transit_edge_drivers: 'longhaul edge',
}

export async function driveAlone(options: DriveOptions): Promise<Driving> {
  const { databaseUrl, db, table, slug, onTrouble } = options
  const log = options.log.child({ drives: `${LOCKS[table]} ${slug}` })
  let stop = new AbortController()
  let work: Promise<unknown> = Promise.resolve()
  let term: string | null = null
  let noted = Number.NEGATIVE_INFINITY

  const wait = (why: string): void => {
    options.onIdle?.()
    if (performance.now() - noted < WAITING_EVERY_MS) return
    noted = performance.now()
    log.info({ why }, 'another process drives it')
    void noteWaiting(db, table, slug, `${options.process} waits. ${why}`).catch(onTrouble)
  }

  const drive = async (signal: AbortSignal): Promise<'over' | 'not ours'> => {
    const claim = await claimPatiently(signal)
    if (!claim || signal.aborted) return 'over'
    if ('refused' in claim) {
      log.error({ why: claim.refused }, 'this process may not drive it')
      noted = Number.NEGATIVE_INFINITY
      wait(claim.refused)
      return 'not ours'
    }
    const lapsed = new AbortController()
    const both = AbortSignal.any([signal, lapsed.signal])
    options.onDriving?.()
    term = claim.term
    log.info('drives it')
    await Promise.all([
      keepAlive(claim.term, both).then((lost) => lost && lapsed.abort()),
      ...options.reconcilers.map((one) => runReconciler(one, { ...options, signal: both })),
    ])
    term = null
    options.onIdle?.()
    return lapsed.signal.aborted ? 'not ours' : 'over'
  }

  const claimPatiently = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        return await options.claim()
      } catch (error) {
        onTrouble(error as Error)
        await pause(TRY_AGAIN_MS, signal)
      }
    }
    return null
  }

  /** True when the claim is not ours any more. */
  const keepAlive = async (mine: string, signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      await pause(BEAT_MS, signal)
      if (signal.aborted) return false
      try {
        if (!(await renewClaim(db, table, slug, mine))) return true
      } catch (error) {
        onTrouble(error as Error)
      }
    }
  }

  const leadership = await holdLeadership(databaseUrl, `${LOCKS[table]} ${slug}`, {
    onTrouble,
    onWaiting: () => wait('Another process drives it.'),
    onGained: () => {
      stop = new AbortController()
      const { signal } = stop
      // Whatever an earlier turn of this process still has under way ends first.
      work = work
        .then(() => drive(signal))
        .then((outcome) => {
          if (outcome === 'not ours') void leadership.standBack(STAND_BACK_MS).catch(onTrouble)
        })
    },
    onLost: async () => {
      stop.abort()
      await work
    },
  })
  return { term: () => term, close: () => leadership.close() }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
