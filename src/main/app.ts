/**
 * The composition root: which routes and which reconcilers use which drivers. Read this first. `server.ts` gives it a
 * process, tests give it a database and simulators; nothing below makes a choice.
 */
import type { AccountId } from '../kernel/ids.ts'
import type { SecretKey } from '../platform/secret-key.ts'
import { hostname } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  accountsReconcilers,
  accountsRoutes,
  asnVerificationLinks,
  createAuthenticate,
  createAuthenticateOpened,
} from '../accounts/index.ts'
import { adminReconcilers, adminRoutes } from '../admin/index.ts'
import { APIS } from './api-contracts.ts'
import {
  billingReconcilers,
  billingRoutes,
  createRevenue,
  requireWithinLimits,
  currencyConflict,
  routerPricing,
  resolveCurrency,
  transitSetUp,
} from '../billing/index.ts'
import type { Drivers } from './choose-drivers.ts'
import { healthRoutes } from './health.ts'
import { createAgentGateway } from './agent-gateway.ts'
import { createEdgeAgents } from './edge-agents.ts'
import { createHypervisorAgents, type DrivenHypervisor, type HypervisorReconcilers } from './hypervisor-agents.ts'
import type { Clock } from '../kernel/clock.ts'
import { hasMailPreview, mailPreview } from './mail-preview.ts'
import { observabilityRoutes } from '../observability/index.ts'
import type { Actor } from '../platform/audit.ts'
import type { Config } from '../platform/config.ts'
import type { Database, Listening } from '../platform/db/index.ts'
import { createChangeBus, listenForChanges } from '../platform/events.ts'
import { openApiDocument } from '../platform/http/openapi.ts'
import { readPageConfig } from './page-config.ts'
import { mountPortal } from '../platform/http/portal.ts'
import { createHttp } from '../platform/http/server.ts'
import { mountEvents } from '../platform/http/sse.ts'
import {
  explainSkew,
  fencedDb,
  guardDriver,
  holdLease,
  underLease,
  WORKERS,
  type LeaseHolder,
} from '../platform/leases/index.ts'
import type { AgentHandle } from '../platform/leases/agent.ts'
import type { Log } from '../platform/log.ts'
import { mailReconciler, mailRetentionReconciler } from '../platform/mail.ts'
import { createReconcilerStats, runReconciler, type ReconcilerStats, type Reconciler } from '../platform/reconcile.ts'
import { describeExtraEndpoints } from '../platform/http/openapi-extra.ts'
import { deleteOldKeys } from '../platform/http/idempotency.ts'
import { rowCountReconciler } from '../platform/row-counts.ts'
import {
  purgeDeleted,
  hypervisorReconcilers,
  ownsRouters,
  routersReconcilers,
  routersRoutes,
} from '../routers/index.ts'
import {
  guestConfig,
  routerSessions,
  routerSessionStates,
  suspendUnproved,
  transitReconcilers,
  transitRoutes,
  readUpstreams,
} from '../transit/index.ts'
import { webhooksReconcilers, webhooksRoutes } from '../webhooks/index.ts'

export interface AppOptions {
  readonly config: Config
  readonly database: Database
  readonly databaseKind: 'embedded' | 'postgres'
  readonly drivers: Drivers
  readonly operatorAsn: number
  readonly secretKey: SecretKey
  readonly clock: Clock
  readonly log: Log
  /** The portal's address as users reach it, without a trailing slash; known once it listens. */
  readonly publicUrl: () => string
}

export interface App {
  readonly http: FastifyInstance
  /**
   * Listens for change events. Depending on the role, also contends to lead the workers and to drive its hypervisor and
   * `others`.
   */
  startWork(others?: readonly DrivenHypervisor[]): Promise<void>
  /** Stops the workers, then the listening, in that order: a response may wait for a worker. */
  close(): Promise<void>
}

const BUILT_PORTAL = path.join(import.meta.dirname, '../../dist/portal')

export async function createApp(options: AppOptions): Promise<App> {
  const { config, database, drivers, operatorAsn, secretKey, clock, log, publicUrl } = options
  const { db } = database
  const currency = await resolveCurrency(db, config.CURRENCY)
  const bus = createChangeBus(log)
  const identity = { db, clock, secretKey, staffSecondFactor: config.staffSecondFactor }
  const authenticate = createAuthenticate(identity)
  const authenticateOpened = createAuthenticateOpened(identity)
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false
  const { app, cookies } = await createHttp({ config, log, secretKey, secure, authenticate })
  const reconcilerStats = createReconcilerStats()
  observabilityRoutes(app, { config, log, db, clock, reconcilerStats })
  // Loaded only when needed: the exporter's libraries are larger than the code that they trace.
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import('../observability/tracing/index.ts')).startTracing(app, config)
    : null

  const agents = createHypervisorAgents(app, { ...options, hypervisor: drivers.hypervisor, bus, reconcilerStats })
  const edgeAgents = createEdgeAgents({ ...options, edge: drivers.edge, bus, reconcilerStats })
  const gateway = createAgentGateway({ ...options, bus, hypervisors: agents, edges: edgeAgents })
  const operator = { asn: operatorAsn, routerId: config.EDGE_ROUTER_ID }
  const accounts = {
    db,
    clock,
    config,
    publicUrl,
    secretKey,
    cookies,
    staffSecondFactor: config.staffSecondFactor,
    secondFactorResetWaitMs: config.SECOND_FACTOR_RESET_WAIT ?? 86_400_000,
    registry: drivers.registry,
    peeringDb: drivers.peeringDb,
    log,
    // Accounts do not import transit: this suspends the prefixes that depend on a verified ASN.
    onAsnLapsed: (on: typeof db, actor: Actor, accountId: AccountId) => suspendUnproved(transit, on, actor, accountId),
    onClosed: (on: typeof db, accountId: AccountId) => purgeDeleted(on, accountId, clock.now()),
    closingBlockers: [
      async (on: typeof db, accountId: AccountId) =>
        (await ownsRouters(on, accountId)) ? 'You still have routers. Delete them first.' : null,
      (on: typeof db, accountId: AccountId) => currencyConflict(on, accountId, clock.now()),
    ],
  }
  const transit = {
    db,
    clock,
    bus,
    rpki: drivers.rpki,
    irr: drivers.irr,
    registry: drivers.registry,
    operator,
    config,
    publicUrl,
    secretKey,
    upstreams: readUpstreams(config.UPSTREAMS ?? ''),
    irrSource: config.IRR_SOURCES.split(',')[0]!,
    irrSources: config.IRR_SOURCES.split(','),
    dns: drivers.dns,
    networks: drivers.networks,
    registryNames: drivers.registryNames,
    sharedMaintainers: config.IRR_SHARED_MAINTAINERS?.split(',') ?? [],
    downstreamGraceMs: config.DOWNSTREAM_GRACE ?? 7 * 86_400_000,
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
    hypervisors: agents.leased,
    currency,
    // Routers do not import transit: what it contributes to them is passed in here.
    contributions: {
      guestConfig: (on: typeof db, routerId: number) => guestConfig(on, routerId, transit),
      sessions: (on: typeof db, routerId: number) => routerSessions(on, routerId, transit),
      sessionStates: routerSessionStates,
    },
    pricing: routerPricing({ clock }),
    mayOrder: (on: typeof db, accountId: AccountId) => requireWithinLimits(on, accountId, clock.now()),
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
    verificationLinks: (on, viewer, ids) => asnVerificationLinks(accounts, on, viewer, ids),
  })
  mountEvents(app, { bus, log, authenticateOpened })
  let document: ReturnType<typeof openApiDocument> | undefined
  const describe = () =>
    (document ??= openApiDocument(
      APIS,
      { title: config.PRODUCT_NAME, version: config.RELEASE },
      describeExtraEndpoints(),
    ))
  app.get('/api/openapi.json', { config: { endpoint: 'GET /api/openapi.json' } }, describe)
  mailPreview(app, { db, config, secretKey })
  await mountPortal(app, {
    directory: BUILT_PORTAL,
    productName: config.PRODUCT_NAME,
    release: config.RELEASE,
    sessionCookie: cookies.name,
    pageConfig: () => readPageConfig(db, config.SUPPORT_EMAIL, log),
  })

  // Work under a lease writes through a database handle, and acts through drivers, that refuse without a lease.
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
    rowCountReconciler({ db: fenced }),
    deleteOldKeys({ db: fenced }),
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
    ...adminReconcilers({ db: fenced, clock, log, receiver: config.AUDIT_SYSLOG ?? null }),
  ]
  const traced = (all: readonly Reconciler[]) => (tracing ? all.map((one) => tracing.traced(one)) : all)
  let changeListener: Listening | undefined
  let leadership: LeaseHolder | undefined
  const otherAgents: AgentHandle[] = []
  return {
    http: app,
    async startWork(others = []) {
      const databaseError = (error: Error) => log.warn({ err: error }, 'a connection to the database broke')
      changeListener = await listenForChanges(database.url, bus, databaseError)
      if (config.ROLE === 'web') return
      await edgeAgents.start(traced)
      leadership = await leadWorkers({
        url: database.url,
        process: `${hostname()} (${config.ROLE}, process ${process.pid})`,
        clock,
        reconcilers: traced(reconcilers),
        bus,
        log,
        databaseError,
        reconcilerStats,
      })
      const ofHypervisors: HypervisorReconcilers = (guarded) =>
        traced(hypervisorReconcilers({ ...routers, db: fenced, hypervisors: guarded }))
      await agents.start(ofHypervisors)
      for (const other of others) otherAgents.push(await agents.drive(other, ofHypervisors))
      await gateway.start(ofHypervisors, traced)
    },
    async close() {
      await gateway.close()
      for (const agent of otherAgents) await agent.close()
      await agents.close()
      await edgeAgents.close()
      await leadership?.close()
      await changeListener?.close()
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
  bus: ReturnType<typeof createChangeBus>
  log: Log
  databaseError: (error: Error) => void
  reconcilerStats: ReconcilerStats
}): Promise<LeaseHolder> {
  const { url, process: name, clock, reconcilers, bus, log, databaseError, reconcilerStats } = options
  let work: Promise<unknown> = Promise.resolve()
  let saidSkew = false
  return holdLease({
    url,
    key: WORKERS,
    process: name,
    clock,
    onError: databaseError,
    onSkew: (ms) => {
      if (ms === null) log.info('the clock is right again')
      else if (!saidSkew) log.error({ skewMs: ms }, `leads nothing and bills nothing: ${explainSkew(ms)}`)
      saidSkew = ms !== null
    },
    onGained: (lease) => {
      log.info({ epoch: lease.epoch }, 'leads the workers')
      const { signal } = lease
      work = Promise.all(
        reconcilers.map((reconciler) =>
          runReconciler(underLease(reconciler, lease), { bus, log, reconcilerStats, signal }),
        ),
      )
    },
    onLost: async () => {
      log.info('leads the workers no more')
      await work
    },
  })
}
