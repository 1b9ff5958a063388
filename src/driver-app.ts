/**
 * The process of `ROLE=host` and of `ROLE=edge`: drives what is beside it and answers nobody but other processes of the
 * portal and those who watch over it. See docs/decisions/0015-several-hosts.md and 0020-several-edges.md.
 */
import type { FastifyInstance } from 'fastify'
import type { App } from './app.ts'
import { routerPricing } from './billing/index.ts'
import type { Chosen } from './choose-drivers.ts'
import type { EdgeDriver } from './drivers/edge/index.ts'
import type { Hypervisor } from './drivers/hypervisor/index.ts'
import { edgeHealth, hostHealth } from './driver-health.ts'
import { createEdgeSide } from './edge-side.ts'
import { createHostSide } from './host-side.ts'
import type { Clock } from './kernel/clock.ts'
import { mountMetrics } from './observability/index.ts'
import type { Config } from './platform/config.ts'
import type { Database, Listening } from './platform/db/index.ts'
import { createNewsBus, hearNews, type NewsBus } from './platform/events.ts'
import { createHttp } from './platform/http/server.ts'
import type { Log } from './platform/log.ts'
import { fencedDb } from './platform/leases/index.ts'
import { createReconcileBoard, type ReconcileBoard, type Reconciler } from './platform/reconcile.ts'
import { hostReconcilers } from './routers/index.ts'
import { guestConfig } from './transit/index.ts'

export interface DriverAppOptions {
  readonly config: Config
  readonly database: Database
  readonly operatorAsn: number
  readonly secretKey: string
  readonly clock: Clock
  readonly log: Log
}

/** What is driven: starts once the news is heard, and stops before anything else does. */
interface Side {
  start(traced: (reconcilers: readonly Reconciler[]) => readonly Reconciler[]): Promise<void>
  close(): Promise<void>
}

export const createHostApp = (options: DriverAppOptions & { readonly hypervisor: Chosen<Hypervisor> }): Promise<App> =>
  createDriverApp(options, (app, { bus, board }) => {
    const { config, hypervisor, operatorAsn, secretKey } = options
    const { db } = options.database
    const side = createHostSide(app, { ...options, bus, board })
    hostHealth(app, { config, db, clock: options.clock, drives: side.claims, compute: hypervisor.driver.kind })
    const operator = { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID }
    const reconcilers = hostReconcilers({
      ...options,
      db: fencedDb(options.database, options.clock),
      hypervisors: side.guarded,
      pricing: routerPricing({ clock: options.clock }),
      contributions: {
        guestConfig: (on, routerId) => guestConfig(on, routerId, { operator, secretKey }),
      },
    })
    return { start: (traced) => side.start(traced(reconcilers)), close: () => side.close() }
  })

export const createEdgeApp = (options: DriverAppOptions & { readonly edge: Chosen<EdgeDriver> }): Promise<App> =>
  createDriverApp(options, (app, { bus, board }) => {
    const side = createEdgeSide({ ...options, bus, board })
    const { config, database, edge } = options
    edgeHealth(app, { config, db: database.db, clock: options.clock, drives: side.claims, kind: edge.driver.kind })
    return side
  })

async function createDriverApp(
  options: DriverAppOptions,
  compose: (app: FastifyInstance, parts: { bus: NewsBus; board: ReconcileBoard }) => Side,
): Promise<App> {
  const { config, database, secretKey, log } = options
  const bus = createNewsBus(log)
  const board = createReconcileBoard()
  const { app } = await createHttp({
    config,
    log,
    secretKey,
    secure: false,
    // Nobody signs in here.
    authenticate: () => Promise.resolve(null),
  })
  mountMetrics(app, { config, db: database.db, clock: options.clock, board })
  const side = compose(app, { bus, board })
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('./observability/tracing/index.ts')).startTracing(app, config)
    : null
  let hearing: Listening | undefined
  return {
    http: app,
    async startWork() {
      hearing = await hearNews(database.url, bus, (error) =>
        log.warn({ err: error }, 'a connection to the database broke'),
      )
      await side.start((all) => (tracing ? all.map((one) => tracing.traced(one)) : all))
    },
    async close() {
      await side.close()
      await hearing?.close()
      await app.close()
      await tracing?.close()
    },
  }
}
