/**
 * The composition root: which routes and which reconcilers stand on which drivers. Read this first. `server.ts` gives it
 * a process, tests give it a database and simulators; nothing below chooses anything.
 */
import { hostname } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  accountsReconcilers,
  accountsRoutes,
  asnVerificationLinks,
  createAuthenticate,
  createAuthenticateOpened,
} from './accounts/index.ts'
import { adminReconcilers, adminRoutes } from './admin/index.ts'
import { APIS } from './apis.ts'
import {
  billingReconcilers,
  billingRoutes,
  createRevenue,
  demandWithinLimits,
  moneyObstacle,
  routerPricing,
  settleCurrency,
  transitSetUp,
} from './billing/index.ts'
import type { Drivers } from './choose-drivers.ts'
import { healthRoutes } from './health.ts'
import { createEdgeSide } from './edge-side.ts'
import { createHostSide } from './host-side.ts'
import type { Clock } from './kernel/clock.ts'
import { hasMailPreview, mailPreview } from './mail-preview.ts'
import { observabilityRoutes } from './observability/index.ts'
import type { Actor } from './platform/audit.ts'
import type { Config } from './platform/config.ts'
import type { Database, Listening } from './platform/db/index.ts'
import { createNewsBus, hearNews } from './platform/events.ts'
import { openApiDocument } from './platform/http/openapi.ts'
import { pageWords } from './page-words.ts'
import { mountPortal } from './platform/http/portal.ts'
import { createHttp } from './platform/http/server.ts'
import { mountEvents } from './platform/http/sse.ts'
import {
  explainSkew,
  fencedDb,
  guardDriver,
  holdLease,
  underLease,
  WORKERS,
  type LeaseHolder,
} from './platform/leases/index.ts'
import type { Log } from './platform/log.ts'
import { mailReconciler, mailRetentionReconciler } from './platform/mail.ts'
import { createReconcileBoard, runReconciler, type ReconcileBoard, type Reconciler } from './platform/reconcile.ts'
import { describeBesides } from './platform/http/openapi-besides.ts'
import { forgetKeys } from './platform/http/idempotency.ts'
import { tallyReconciler } from './platform/tallies.ts'
import { giveUpDeleted, hostReconcilers, ownsRouters, routersReconcilers, routersRoutes } from './routers/index.ts'
import { guestConfig, routerSessions, suspendUnproved, transitReconcilers, transitRoutes } from './transit/index.ts'
import { webhooksReconcilers, webhooksRoutes } from './webhooks/index.ts'

export interface AppOptions {
  readonly config: Config
  readonly database: Database
  readonly databaseKind: 'embedded' | 'postgres'
  readonly drivers: Drivers
  readonly operatorAsn: number
  readonly secretKey: string
  readonly clock: Clock
  readonly log: Log
  /** The portal's address as people reach it, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string
}

export interface App {
  readonly http: FastifyInstance
  /** Hears the news and, where the role says so, contends to lead the workers and to drive its hypervisor. */
  startWork(): Promise<void>
  /** Stops the workers, then the listening, in that order: an answer may wait for what a worker does. */
  close(): Promise<void>
}

const BUILT_PORTAL = path.join(import.meta.dirname, '..', 'dist', 'portal')

export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, drivers, operatorAsn, secretKey, clock, log, publicUrl } = options
  const { db } = database
  const currency = await settleCurrency(db, config.CURRENCY)
  const bus = createNewsBus(log)
  const identity = { db, clock, staffSecondFactor: config.staffSecondFactor }
  const authenticate = createAuthenticate(identity)
  const authenticateOpened = createAuthenticateOpened(identity)
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false
  const { app, cookies } = await createHttp({ config, log, secretKey, secure, authenticate })
  const board = createReconcileBoard()
  observabilityRoutes(app, { config, log, db, clock, board })
  // Loaded where it is wanted: the libraries of the exporter weigh more than what they trace.
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('./observability/tracing/index.ts')).startTracing(app, config)
    : null

  const side = createHostSide(app, { ...options, hypervisor: drivers.hypervisor, bus, board })
  const edgeSide = createEdgeSide({ ...options, edge: drivers.edge, bus, board })
  const operator = { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID }
  const accounts = {
    db,
    clock,
    config,
    publicUrl,
    secretKey,
    cookies,
    staffSecondFactor: config.staffSecondFactor,
    registry: drivers.registry,
    peeringDb: drivers.peeringDb,
    log,
    // Accounts know nothing of transit: what rests on a verified ASN is suspended from here.
    onAsnLapsed: (on: typeof db, actor: Actor, userId: number) => suspendUnproved(transit, on, actor, userId),
    onClosed: (on: typeof db, userId: number) => giveUpDeleted(on, userId, clock.now()),
    closingObstacles: [
      async (on: typeof db, userId: number) =>
        (await ownsRouters(on, userId)) ? 'Routers of yours still exist: delete them first.' : null,
      (on: typeof db, userId: number) => moneyObstacle(on, userId, clock.now()),
    ],
  }
  const transit = {
    db,
    clock,
    bus,
    rpki: drivers.rpki,
    irr: drivers.irr,
    operator,
    config,
    publicUrl,
    secretKey,
    irrSource: config.IRR_SOURCES.split(',')[0]!,
    setUp: transitSetUp,
  }
  const routers = {
    db,
    clock,
    log,
    bus,
    config,
    publicUrl,
    authenticateOpened,
    secretKey,
    hypervisors: side.driven,
    currency,
    // Routers know nothing of transit: what it brings into them is handed in here.
    contributions: {
      guestConfig: (on: typeof db, routerId: number) => guestConfig(on, routerId, transit),
      sessions: (on: typeof db, routerId: number) => routerSessions(on, routerId, transit),
    },
    pricing: routerPricing({ clock }),
    mayOrder: (on: typeof db, userId: number) => demandWithinLimits(on, userId, clock.now()),
  }
  const billing = {
    db,
    clock,
    config,
    publicUrl,
    secretKey,
    payments: drivers.payments,
    vat: drivers.vat,
    isBilled: ownsRouters,
  }
  const webhooks = { db, clock, log, config, publicUrl, secretKey, sender: drivers.webhooks, transit }
  const money = createRevenue({ clock, currency })

  healthRoutes(app, { config, databaseKind: options.databaseKind, database, clock, drivers })
  accountsRoutes(app, accounts)
  routersRoutes(app, routers)
  transitRoutes(app, transit)
  billingRoutes(app, billing)
  webhooksRoutes(app, webhooks)
  adminRoutes(app, {
    db,
    clock,
    log,
    supportEmail: config.SUPPORT_EMAIL,
    money,
    verificationLinks: (on, ids) => asnVerificationLinks(accounts, on, ids),
  })
  mountEvents(app, { bus, log, authenticateOpened })
  let document: ReturnType<typeof openApiDocument> | undefined
  const describe = () =>
    (document ??= openApiDocument(APIS, { title: config.PRODUCT_NAME, version: config.RELEASE }, describeBesides()))
  app.get('/api/openapi.json', { config: { endpoint: 'GET /api/openapi.json' } }, describe)
  mailPreview(app, { db, config, secretKey })
  await mountPortal(app, {
    directory: BUILT_PORTAL,
    productName: config.PRODUCT_NAME,
    release: config.RELEASE,
    words: () => pageWords(db, config.SUPPORT_EMAIL, log),
  })

  // What runs under a lease writes through a handle, and reaches out through drivers, that refuse without one.
  const fenced = fencedDb(database, clock)
  const underLeaseTransit = { ...transit, db: fenced }
  const reconcilers: Reconciler[] = [
    mailReconciler({
      db: fenced,
      mailer: guardDriver(drivers.mailer),
      clock,
      secretKey,
      keepsBodies: hasMailPreview(config),
    }),
    mailRetentionReconciler({ db: fenced, clock }),
    tallyReconciler({ db: fenced }),
    forgetKeys({ db: fenced }),
    ...accountsReconcilers({ ...accounts, db: fenced }),
    ...routersReconcilers({ ...routers, db: fenced }),
    ...transitReconcilers(underLeaseTransit),
    ...billingReconcilers({ ...billing, db: fenced, payments: guardDriver(drivers.payments) }),
    ...webhooksReconcilers({
      ...webhooks,
      db: fenced,
      sender: guardDriver(drivers.webhooks),
      transit: underLeaseTransit,
    }),
    ...adminReconcilers({ db: fenced, clock }),
  ]
  const traced = (all: readonly Reconciler[]) => (tracing ? all.map((one) => tracing.traced(one)) : all)
  let hearing: Listening | undefined
  let leadership: LeaseHolder | undefined
  return {
    http: app,
    async startWork() {
      const trouble = (error: Error) => log.warn({ err: error }, 'a connection to the database broke')
      hearing = await hearNews(database.url, bus, trouble)
      if (config.ROLE === 'web') return
      await edgeSide.start(traced)
      leadership = await leadWorkers({
        url: database.url,
        process: `${hostname()} (${config.ROLE}, process ${process.pid})`,
        clock,
        reconcilers: traced(reconcilers),
        bus,
        log,
        trouble,
        board,
      })
      await side.start(traced(hostReconcilers({ ...routers, db: fenced, hypervisors: side.guarded })))
    },
    async close() {
      await side.close()
      await edgeSide.close()
      await leadership?.close()
      await hearing?.close()
      await app.close()
      await tracing?.close()
    },
  }
}

async function leadWorkers(options: {
  url: string
  process: string
  clock: Clock
  reconcilers: readonly Reconciler[]
  bus: ReturnType<typeof createNewsBus>
  log: Log
  trouble: (error: Error) => void
  board: ReconcileBoard
}): Promise<LeaseHolder> {
  const { url, process: name, clock, reconcilers, bus, log, trouble, board } = options
  let work: Promise<unknown> = Promise.resolve()
  let saidSkew = false
  return holdLease({
    url,
    key: WORKERS,
    process: name,
    clock,
    onTrouble: trouble,
    onSkew: (ms) => {
      if (ms === null) log.info('the clock is right again')
      else if (!saidSkew) log.error({ skewMs: ms }, `leads nothing and bills nothing: ${explainSkew(ms)}`)
      saidSkew = ms !== null
    },
    onGained: (lease) => {
      log.info({ epoch: lease.epoch }, 'leads the workers')
      const { signal } = lease
      work = Promise.all(
        reconcilers.map((reconciler) => runReconciler(underLease(reconciler, lease), { bus, log, board, signal })),
      )
    },
    onLost: async () => {
      log.info('leads the workers no more')
      await work
    },
  })
}
