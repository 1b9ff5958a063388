/**
 * The process of `ROLE=host`: drives the hypervisor of its host and answers nobody but other processes of the portal and
 * those who watch over it. See docs/decisions/0015-several-hosts.md.
 */
import type { App } from './app.ts'
import { routerPricing } from './billing/index.ts'
import type { Chosen } from './choose-drivers.ts'
import type { Hypervisor } from './drivers/hypervisor/index.ts'
import { hostHealth } from './health.ts'
import { createHostSide } from './host-side.ts'
import type { Clock } from './kernel/clock.ts'
import { mountMetrics } from './observability/index.ts'
import type { Config } from './platform/config.ts'
import { listen, type Database, type Listening } from './platform/db/index.ts'
import { createNewsBus, NEWS_CHANNEL } from './platform/events.ts'
import { createHttp } from './platform/http/server.ts'
import type { Log } from './platform/log.ts'
import { createReconcileBoard } from './platform/reconcile.ts'
import { hostReconcilers } from './routers/index.ts'
import { guestConfig } from './transit/index.ts'

export interface HostAppOptions {
  readonly config: Config
  readonly database: Database
  readonly hypervisor: Chosen<Hypervisor>
  readonly operatorAsn: number
  readonly secretKey: string
  readonly clock: Clock
  readonly log: Log
}

export async function createHostApp(options: HostAppOptions): Promise<App> {
  const { config, database, operatorAsn, secretKey, log } = options
  const { db } = database
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
  mountMetrics(app, { config, db, board })
  const side = createHostSide(app, { ...options, bus, board })
  hostHealth(app, { config, db, drives: side.claims, compute: options.hypervisor.driver.kind })
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('./observability/tracing/index.ts')).startTracing(app, config)
    : null
  const operator = { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID }
  const reconcilers = hostReconcilers({
    ...options,
    db,
    hypervisors: side.driven,
    pricing: routerPricing({ clock: options.clock }),
    contributions: {
      guestConfig: (on, routerId) => guestConfig(on, routerId, { operator, secretKey }),
    },
  })
  let hearing: Listening | undefined
  return {
    http: app,
    async startWork() {
      hearing = await listen(
        database.url,
        NEWS_CHANNEL,
        (payload) => bus.receive(payload),
        () => bus.resync(),
        (error) => log.warn({ err: error }, 'a connection to the database broke'),
      )
      await side.start(tracing ? reconcilers.map((one) => tracing.traced(one)) : reconcilers)
    },
    async close() {
      await side.close()
      await hearing?.close()
      await app.close()
      await tracing?.close()
    },
  }
}
