/** A test app of routers alone, with its own database and simulated hypervisors: for the tests of this slice. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import { writeBillingStatus } from '../accounts/index.ts'
import { systemClock, type Clock } from '../kernel/clock.ts'
import { SYSTEM } from '../platform/audit.ts'
import { FIRST_HYPERVISOR } from '../platform/settings.ts'
import { accountIdOf, testDatabase } from '../platform/db/testing.ts'
import { leaseKey } from '../platform/leases/agent-lease.ts'
import { pretendHeld } from '../platform/leases/testing.ts'
import { createChangeBus } from '../platform/events.ts'
import type { OpenedBy, Principal } from '../platform/http/principal.ts'
import { createHttp } from '../platform/http/server.ts'
import type { Router } from './contract.ts'
import type { GuestContribution, RoutersDeps } from './deps.ts'
import { createRouter } from './create.ts'
import { findRouter, type RouterRow } from './queries.ts'
import { routerReconciler } from './reconciler.ts'
import { routersRoutes } from './routes.ts'
import { seedRouters, type SeedOptions } from './seed.ts'
import { stateOf } from './view.ts'
import type { Watched } from './hypervisors/watch-start-times.ts'

export const SEED: SeedOptions = {
  driver: 'simulated',
  cpus: 16,
  memory: 32_768,
  disk: 500,
  image: 'longhaul-appliance',
  currency: 'EUR',
  pool: {
    prefix4: '203.0.113.0/24',
    gateway4: '203.0.113.1',
    prefix6: '2001:db8:100::/64',
    gateway6: '2001:db8:100::1',
  },
}
export const SECRET_KEY = 'a secret key that only the tests know'
export const ORDER = { name: 'edge-1', site: 'ams1', plan: 'lark', image: 'longhaul-appliance' } as const

export interface TestAppOptions {
  readonly seed?: Partial<SeedOptions>
  readonly hypervisor?: Hypervisor
  readonly clock?: Clock
  /** How long deletions can be undone. */
  readonly graceMs?: number
  /** `none`: for a process that drives no hypervisor. */
  readonly agent?: 'none'
  readonly mayOrder?: NonNullable<RoutersDeps['mayOrder']>
}

export async function createRoutersTestApp(options: TestAppOptions = {}) {
  const database = await testDatabase({ poolSize: 12 })
  const { db } = database
  const clock = options.clock ?? systemClock
  const log = pino({ level: 'silent' })
  const bus = createChangeBus(log)
  const hypervisor = options.hypervisor ?? createSimulatedHypervisor({ bootMs: 20, shutdownMs: 10 })
  const { hypervisorId, siteId } = await seedRouters(db, { ...SEED, ...options.seed })
  // The tests run reconcilers one by one, so nothing renews it.
  if (options.agent !== 'none') await pretendHeld(db, leaseKey('hypervisor_agents', FIRST_HYPERVISOR))
  const sessions = new Map<string, Principal>()
  /** What transit would contribute, by router. */
  const contributed = new Map<number, GuestContribution>()
  const deps: TestAppDeps = {
    watched: new Map(),
    db,
    clock,
    log,
    bus,
    config: {
      PUBLIC_URL: undefined,
      PRODUCT_NAME: 'Longhaul',
      SUPPORT_EMAIL: 'support@example.net',
      DELETE_GRACE: options.graceMs ?? 0,
    },
    publicUrl: () => 'https://portal.example.net',
    ...(options.mayOrder && { mayOrder: options.mayOrder }),
    hypervisors: new Map(options.agent === 'none' ? [] : [[FIRST_HYPERVISOR, hypervisor]]),
    currency: SEED.currency,
    secretKey: SECRET_KEY,
    contributions: {
      guestConfig: (_db, id) => Promise.resolve(contributed.get(id) ?? { birdConf: '', allowedSources: [] }),
      sessions: () => Promise.resolve([]),
      sessionStates: () => Promise.resolve(new Map()),
    },
    authenticateOpened: (opened) => {
      const principals = [...sessions.values()]
      const principalOf = ({ sessionId, tokenId }: OpenedBy): Principal | undefined =>
        principals.find((one) => (tokenId === null ? one.sessionId === sessionId : one.tokenId === tokenId))
      return Promise.resolve(opened.map((one) => principalOf(one) ?? null))
    },
  }
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: SECRET_KEY,
    secure: false,
    authenticate: ({ sessionToken, bearer }) => Promise.resolve(sessions.get(sessionToken ?? bearer ?? '') ?? null),
  })
  routersRoutes(app, deps)
  let userCount = 0

  return {
    app,
    database,
    db,
    bus,
    deps,
    hypervisor,
    hypervisorId,
    siteId,
    sessions,
    contributed,

    /** Adds a signed-in user, with a verified ASN and a payment method unless stated otherwise. */
    async addUser(newUser: { isAdmin?: boolean; verified?: boolean; payable?: boolean; isSuspended?: boolean } = {}) {
      const { id } = await db
        .insertInto('users')
        .values({
          email: `person-${++userCount}@example.net`,
          first_name: 'Ann',
          last_name: 'Example',
          password_hash: 'none',
          staff_roles: newUser.isAdmin ? ['owner'] : [],
          email_verified_at: clock.now(),
          last_sign_in_at: null,
          last_sign_in_ip: null,
          closed_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (newUser.payable !== false) await writeBillingStatus(db, SYSTEM, accountIdOf(id), { mayBeBilled: true })
      const token = `secret-of-${id}`
      sessions.set(token, {
        userId: id,
        accountId: accountIdOf(id),
        email: `person-${userCount}@example.net`,
        isAdmin: newUser.isAdmin ?? false,
        roles: newUser.isAdmin ? ['owner'] : [],
        asnVerifiedAt: newUser.verified === false ? null : clock.now(),
        via: 'session',
        sessionId: id,
        scopes: null,
        isSuspended: newUser.isSuspended ?? false,
      })
      return { id, token, call: (method: string, url: string, body?: unknown) => call(token, method, url, body) }
    },
    call,
    /** Places an order, written as the route writes it. */
    order: (userId: number, order: Partial<typeof ORDER> | { name: string } = {}) =>
      db
        .transaction()
        .execute((transaction) =>
          createRouter(
            transaction,
            SYSTEM,
            accountIdOf(userId),
            { ...ORDER, ...order },
            { now: clock.now(), leased: [FIRST_HYPERVISOR] },
          ),
        ),
    row: (id: number): Promise<RouterRow | undefined> => findRouter(db, id),
    async stateOf(id: number): Promise<Router['state'] | 'GONE'> {
      const row = await findRouter(db, id)
      return row ? stateOf(row) : 'GONE'
    },
    settle: (id: number, driver?: Hypervisor) => settle(deps, id, driver),
  }

  async function call(token: string | null, method: string, url: string, body?: unknown) {
    const cookies = token ? { session: token } : {}
    const first = await app.inject({ url: '/api/catalogue', cookies })
    const csrf = first.cookies.find((cookie) => cookie.name === 'CSRF-TOKEN')?.value
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      cookies: { ...cookies, ...(csrf && { 'CSRF-TOKEN': csrf }) },
      headers: csrf ? { 'x-csrf-token': csrf } : {},
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
  }
}

type TestAppDeps = RoutersDeps & { readonly watched: Watched }

export type TestApp = Awaited<ReturnType<typeof createRoutersTestApp>>

/** Far more passes than any router needs. */
const MAX_PASSES = 200

/**
 * Runs the reconciler on one router until nothing is left to do, without its pauses; `driver` replaces the hypervisor.
 */
async function settle(deps: TestAppDeps, id: number, driver?: Hypervisor): Promise<void> {
  const reconciler = routerReconciler({
    ...deps,
    ...(driver && { hypervisors: new Map([[FIRST_HYPERVISOR, driver]]) }),
  })
  const signal = new AbortController().signal
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    if (!(await reconciler.reconcile(id, signal))) return
    await sleep(5)
  }
  throw new Error(`router ${id} did not settle`)
}
