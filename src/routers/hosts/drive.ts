/** Drives one hypervisor from this process, whenever no other does: under its lock, by a claim that it keeps alive. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hypervisor } from '../../drivers/hypervisor/index.ts'
import { holdLeadership, type Db } from '../../platform/db/index.ts'
import type { NewsBus } from '../../platform/events.ts'
import type { Log } from '../../platform/log.ts'
import { runReconciler, type ReconcileBoard, type Reconciler } from '../../platform/reconcile.ts'
import { claimHypervisor, GONE_AFTER_S, noteWaiting, renewClaim, type Claimant } from './claim.ts'

export const hypervisorLock = (slug: string): string => `longhaul hypervisor ${slug}`

const BEAT_MS = (GONE_AFTER_S * 1_000) / 3
const WAITING_EVERY_MS = 10_000
/** So that whose machines they are finds the lock free. */
const STAND_BACK_MS = 15_000
const TRY_AGAIN_MS = 1_000

export interface DriveOptions {
  /** Of the database. */
  readonly databaseUrl: string
  readonly db: Db
  readonly bus: NewsBus
  readonly log: Log
  readonly board: ReconcileBoard
  readonly hypervisor: Hypervisor
  readonly claimant: Omit<Claimant, 'url'> & { readonly url: () => string | null }
  /** What runs while this process drives it. */
  readonly reconcilers: readonly Reconciler[]
  /** Holds the driver while this process drives, by its name. It does so from the start, until another is found to. */
  readonly driven: Map<string, Hypervisor>
  readonly onTrouble: (error: Error) => void
}

export interface Driving {
  /** The number of the claim; null while this process does not drive. */
  readonly term: () => string | null
  readonly close: () => Promise<void>
}

export async function driveHypervisor(options: DriveOptions): Promise<Driving> {
  const { databaseUrl, db, log, hypervisor, claimant, driven, onTrouble } = options
  const { slug } = claimant
  let stop = new AbortController()
  let work: Promise<unknown> = Promise.resolve()
  let term: string | null = null
  let noted = Number.NEGATIVE_INFINITY

  const wait = (why: string): void => {
    driven.delete(slug)
    if (performance.now() - noted < WAITING_EVERY_MS) return
    noted = performance.now()
    log.info({ hypervisor: slug, why }, 'another process drives it')
    void noteWaiting(db, slug, `${claimant.process} waits. ${why}`).catch(onTrouble)
  }

  const drive = async (signal: AbortSignal): Promise<'over' | 'not ours'> => {
    const claim = await claimPatiently(signal)
    if (!claim || signal.aborted) return 'over'
    if ('refused' in claim) {
      log.error({ hypervisor: slug, why: claim.refused }, 'this process may not drive it')
      noted = Number.NEGATIVE_INFINITY
      wait(claim.refused)
      return 'not ours'
    }
    const lapsed = new AbortController()
    const both = AbortSignal.any([signal, lapsed.signal])
    driven.set(slug, hypervisor)
    term = claim.term
    log.info({ hypervisor: slug }, 'drives it')
    await Promise.all([
      keepAlive(claim.term, both).then((lost) => lost && lapsed.abort()),
      ...options.reconcilers.map((one) => runReconciler(one, { ...options, signal: both })),
    ])
    // Not what a later claim of this process has written meanwhile.
    if (term === claim.term) {
      term = null
      driven.delete(slug)
    }
    return lapsed.signal.aborted ? 'not ours' : 'over'
  }

  const claimPatiently = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        return await claimHypervisor(db, { ...claimant, url: claimant.url() })
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
        if (!(await renewClaim(db, slug, mine))) return true
      } catch (error) {
        onTrouble(error as Error)
      }
    }
  }

  const leadership = await holdLeadership(databaseUrl, hypervisorLock(slug), {
    onTrouble,
    onWaiting: () => wait('Another process drives it.'),
    onGained: () => {
      stop = new AbortController()
      work = drive(stop.signal).then((outcome) => {
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
