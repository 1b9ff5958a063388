/** Edge processes beside a test app, each with its own lease, change events and driver. */
import { pino } from 'pino'
import type { EdgeDriver } from '../../drivers/edge/index.ts'
import { createChangeBus, listenForChanges } from '../../platform/events.ts'
import { leaseKey } from '../../platform/leases/agent-lease.ts'
import { pretendSilent, stopPretending } from '../../platform/leases/testing.ts'
import { createReconcilerStats, runReconciler } from '../../platform/reconcile.ts'
import type { EdgeDeps } from '../deps.ts'
import { edgeReconcilers, transitReconcilers } from '../index.ts'
import type { TestApp } from '../testing.ts'
import { staleEdgeAgentReconciler } from './stale-agent-job.ts'
import { runEdgeAgent } from './agent.ts'

/** The router and its configuration, which remain when a process ends. */
export interface Router {
  readonly slug: string
  readonly routerId: string
  readonly driver: EdgeDriver
}

/** Calls `onLoad` after each load. */
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

/** The connections that a router carries, whatever the portal believes. */
export const connectionsOn = async ({ driver }: Router): Promise<number[]> =>
  [...new Set((await driver.sessions()).map((session) => session.customerId))].toSorted((a, b) => a - b)

export async function startEdge(testApp: TestApp, { slug, routerId, driver }: Router) {
  const { database, db, deps } = testApp
  const log = pino({ level: 'silent' })
  const bus = createChangeBus(log)
  const changeListener = await listenForChanges(database.url, bus)
  const own: EdgeDeps = { ...deps, edge: driver, edgeName: slug, operator: { ...deps.operator, routerId } }
  await stopPretending(db, leaseKey('transit_edge_agents', slug))
  const agent = await runEdgeAgent({
    databaseUrl: database.url,
    db,
    bus,
    log,
    reconcilerStats: createReconcilerStats(),
    deps: own,
    leaseRequest: { process: `the process of ${slug}`, why: 'a test' },
    reconcilers: edgeReconcilers(own),
    onError: () => undefined,
  })
  const end = async () => {
    await agent.close()
    await changeListener.close()
  }
  return {
    isLeaseHolder: () => agent.term() !== null,
    end,
    /** Acts as if the process had been killed more than half a minute ago. */
    async vanish() {
      await end()
      await pretendSilent(db, leaseKey('transit_edge_agents', slug))
      await testApp.settle(staleEdgeAgentReconciler({ db }, 0))
    },
  }
}

/** Starts the lead worker's transit jobs, without any edge. */
export function startLeader(testApp: TestApp): { stop(): Promise<void> } {
  const end = new AbortController()
  const log = pino({ level: 'silent' })
  const runs = transitReconcilers(testApp.deps).map((one) =>
    runReconciler(one, { bus: testApp.bus, log, signal: end.signal }),
  )
  return {
    async stop() {
      end.abort()
      await Promise.all(runs)
    },
  }
}
