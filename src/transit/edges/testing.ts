/** Processes of edges beside a trial: each with a lock, a claim, news and a driver of its own. */
import { pino } from 'pino'
import type { EdgeDriver } from '../../drivers/edge/index.ts'
import { createNewsBus, hearNews } from '../../platform/events.ts'
import { leaseKey } from '../../platform/driving/claims.ts'
import { pretendSilent, stopPretending } from '../../platform/leases/testing.ts'
import { createReconcileBoard, runReconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import { edgeReconcilers, transitReconcilers } from '../index.ts'
import type { Trial } from '../testing.ts'
import { edgeAbsence } from './absence.ts'
import { driveEdge } from './drive.ts'

/** What stays when a process ends: the router, and what it runs. */
export interface Router {
  readonly slug: string
  readonly routerId: string
  readonly driver: EdgeDriver
}

/** Tells after each load. */
export function newRouter(
  slug: string,
  routerId: string,
  driver: EdgeDriver,
  onLoad: () => Promise<void> = async () => undefined,
): Router {
  return {
    slug,
    routerId,
    driver: {
      ...driver,
      async apply(state) {
        const result = await driver.apply(state)
        await onLoad()
        return result
      },
    },
  }
}

/** The connections that a router speaks for, whatever the portal believes. */
export const carriedBy = async ({ driver }: Router): Promise<number[]> =>
  [...new Set((await driver.sessions()).map((session) => session.customerId))].toSorted((a, b) => a - b)

export async function startEdge(trial: Trial, { slug, routerId, driver }: Router) {
  const { database, db, deps } = trial
  const log = pino({ level: 'silent' })
  const bus = createNewsBus(log)
  const hearing = await hearNews(database.url, bus)
  const own: EdgeDeps = { ...deps, edge: driver, edgeName: slug, operator: { ...deps.operator, routerId } }
  await stopPretending(db, leaseKey('transit_edge_drivers', slug))
  const driving = await driveEdge({
    databaseUrl: database.url,
    db,
    bus,
    log,
    board: createReconcileBoard(),
    deps: own,
    claimant: { process: `the process of ${slug}`, why: 'a test' },
    reconcilers: edgeReconcilers(own),
    onTrouble: () => undefined,
  })
  const end = async () => {
    await driving.close()
    await hearing.close()
  }
  return {
    drives: () => driving.term() !== null,
    end,
    /** As if it had been killed more than half a minute ago. */
    async vanish() {
      await end()
      await pretendSilent(db, leaseKey('transit_edge_drivers', slug))
      await trial.settle(edgeAbsence({ db }, 0))
    },
  }
}

/** What leads the workers: of all that transit has, without any edge. */
export function startLeader(trial: Trial): { stop(): Promise<void> } {
  const end = new AbortController()
  const log = pino({ level: 'silent' })
  const runs = transitReconcilers(trial.deps).map((one) =>
    runReconciler(one, { bus: trial.bus, log, signal: end.signal }),
  )
  return {
    async stop() {
      end.abort()
      await Promise.all(runs)
    },
  }
}
