/**
 * The process of `ROLE=hypervisor` and of `ROLE=edge`: drives what is beside it and answers nobody but other processes of the
 * portal and those who watch over it. See docs/decisions/0015-several-hypervisors.md and 0020-several-edges.md.
 */
import type { SecretKey } from '../platform/secret-key.ts'
import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import { routerPricing } from '../billing/index.ts'
import type { Chosen } from './choose-drivers.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { edgeHealth, hypervisorAgentHealth } from './agent-health.ts'
import { createEdgeAgent } from './edge-agent.ts'
import { createHypervisorAgent } from './hypervisor-agent.ts'
import type { Clock } from '../kernel/clock.ts'
import { mountMetrics } from '../observability/index.ts'
import type { Config } from '../platform/config.ts'
import type { Database, Listening } from '../platform/db/index.ts'
import { createChangeBus, listenForChanges, type ChangeBus } from '../platform/events.ts'
import { createHttp } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'
import { fencedDb } from '../platform/leases/index.ts'
import { createReconcilerStats, type ReconcilerStats, type Reconciler } from '../platform/reconcile.ts'
import { hypervisorReconcilers } from '../routers/index.ts'
import { guestConfig } from '../transit/index.ts'

export interface AgentAppOptions {
  readonly config: Config
  readonly database: Database
  readonly operatorAsn: number
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
}

/** What is driven: starts once the news is heard, and stops before anything else does. */
interface Agent {
  start(traced: (reconcilers: readonly Reconciler[]) => readonly Reconciler[]): Promise<void>
  close(): Promise<void>
}

export const createHypervisorAgentApp = (
  options: AgentAppOptions & { readonly hypervisor: Chosen<Hypervisor> },
): Promise<App> =>
  createAgentApp(options, (app, { bus, reconcilerStats }) => {
    const { config, hypervisor, operatorAsn, secretKey } = options
    const { db } = options.database
    const agent = createHypervisorAgent(app, { ...options, bus, reconcilerStats })
    hypervisorAgentHealth(app, {
      config,
      db,
      clock: options.clock,
      isLeaseHolder: agent.isLeaseHolder,
      compute: hypervisor.driver.kind,
    })
    const operator = { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID }
    const reconcilers = hypervisorReconcilers({
      ...options,
      db: fencedDb(options.database, options.clock),
      hypervisors: agent.guarded,
      pricing: routerPricing({ clock: options.clock }),
      contributions: {
        guestConfig: (on, routerId) => guestConfig(on, routerId, { operator, secretKey }),
      },
    })
    return { start: (traced) => agent.start(traced(reconcilers)), close: () => agent.close() }
  })

export const createEdgeApp = (options: AgentAppOptions & { readonly edge: Chosen<EdgeDriver> }): Promise<App> =>
  createAgentApp(options, (app, { bus, reconcilerStats }) => {
    const agent = createEdgeAgent({ ...options, bus, reconcilerStats })
    const { config, database, edge } = options
    edgeHealth(app, {
      config,
      db: database.db,
      clock: options.clock,
      isLeaseHolder: agent.isLeaseHolder,
      kind: edge.driver.kind,
    })
    return agent
  })

async function createAgentApp(
  options: AgentAppOptions,
  compose: (app: FastifyInstance, parts: { bus: ChangeBus; reconcilerStats: ReconcilerStats }) => Agent,
): Promise<App> {
  const { config, database, secretKey, log } = options
  const bus = createChangeBus(log)
  const reconcilerStats = createReconcilerStats()
  const { app } = await createHttp({
    config,
    log,
    secretKey,
    secure: false,
    // Nobody signs in here.
    authenticate: () => Promise.resolve(null),
  })
  mountMetrics(app, { config, db: database.db, clock: options.clock, reconcilerStats })
  const agent = compose(app, { bus, reconcilerStats })
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('../observability/tracing/index.ts')).startTracing(app, config)
    : null
  let changeListener: Listening | undefined
  return {
    http: app,
    async startWork() {
      changeListener = await listenForChanges(database.url, bus, (error) =>
        log.warn({ err: error }, 'a connection to the database broke'),
      )
      await agent.start((all) => (tracing ? all.map((one) => tracing.traced(one)) : all))
    },
    async close() {
      await agent.close()
      await changeListener?.close()
      await app.close()
      await tracing?.close()
    },
  }
}
