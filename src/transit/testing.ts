/** Transit on its own database, with an edge that can fail and sources that answer as a test tells them. */
import type { UserId } from '../kernel/ids.ts'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { suspendedByStaff } from '../accounts/index.ts'
import type { EdgeDriver } from '../drivers/edge/index.ts'
import { systemClock } from '../kernel/clock.ts'
import type { StaffRole } from '../kernel/required-role.ts'
import { SCOPES, type Scope } from '../kernel/scope.ts'
import { FIRST_EDGE } from '../platform/settings.ts'
import { createChangeBus, listenForChanges } from '../platform/events.ts'
import { inTransaction } from '../platform/db/index.ts'
import { accountIdOf, testDatabase } from '../platform/db/testing.ts'
import { leaseKey } from '../platform/leases/agent-lease.ts'
import { pretendHeld } from '../platform/leases/testing.ts'
import { createHttp } from '../platform/http/server.ts'
import type { Credentials, Principal } from '../platform/http/principal.ts'
import { readMailBody } from '../platform/mail.ts'
import { runReconciler, type Reconciler } from '../platform/reconcile.ts'
import type { EdgeDeps, TransitDeps } from './deps.ts'
import { acquireEdgeLease } from './edges/leases.ts'
import { edgeReconcilers, transitReconcilers, transitRoutes } from './index.ts'
import { breakableEdge, dnsOf, irrOf, registryOf, rpkiOf } from './testing-sources.ts'

const SECRET_KEY = 'a secret key that only the tests know'

export const OPERATOR = { asn: 500_000, routerId: '192.0.2.0' }

export const DOWNSTREAM_GRACE_MS = 7 * 86_400_000

export interface Answer {
  readonly status: number
  // eslint-disable-next-line typescript/no-explicit-any -- tests assert on what came over the wire
  readonly body: any
}

export async function createTransitTestApp(simulatedEdge: EdgeDriver) {
  const database = await testDatabase({ poolSize: 20 })
  const { db } = database
  const log = pino({ level: 'silent' })
  const bus = createChangeBus(log)
  const listening = await listenForChanges(database.url, bus)
  const rpki = rpkiOf()
  const irr = irrOf()
  const registry = registryOf()
  const dns = dnsOf()
  const edge = breakableEdge(simulatedEdge)
  const deps: TransitDeps & EdgeDeps = {
    db,
    clock: systemClock,
    bus,
    edge,
    edgeName: FIRST_EDGE,
    maxShrink: 0.2,
    rpki,
    irr,
    registry,
    dns,
    operator: OPERATOR,
    irrSource: 'RIPE',
    irrSources: ['RIPE', 'ARIN', 'RADB'],
    networks: { asSetOf: async (asn) => irr.peeringDb.get(asn) ?? null },
    registryNames: {
      known: (asn) => irr.registries.get(asn) ?? null,
      find: async (asn) => irr.registries.get(asn) ?? null,
    },
    upstreams: [{ asn: 500_001, name: 'Lab Upstream' }],
    sharedMaintainers: [],
    downstreamGraceMs: DOWNSTREAM_GRACE_MS,
    secretKey: SECRET_KEY,
    config: {
      PRODUCT_NAME: 'Longhaul',
      SUPPORT_EMAIL: 'support@example.net',
      OPERATOR_NAME: 'Example Carrier B.V.',
      SESSION_ALERT_AFTER: undefined,
    },
    publicUrl: () => 'https://portal.example.net',
  }
  const claimant = {
    slug: FIRST_EDGE,
    kind: edge.kind,
    why: 'a test',
    routerId: OPERATOR.routerId,
  }
  await inTransaction(db, (on) => acquireEdgeLease(on, claimant))
  // Reconcilers run one by one here, so nothing renews the lease.
  await pretendHeld(db, leaseKey('transit_edge_agents', FIRST_EDGE), 'the trial')
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: SECRET_KEY,
    secure: false,
    authenticate: ({ bearer }: Credentials): Promise<Principal | null> => principalOf(bearer),
  })
  transitRoutes(app, deps)

  async function principalOf(bearer: string | null): Promise<Principal | null> {
    const [subject = '', ...named] = (bearer ?? '').split('+')
    const userId = Number(/^user-(\d+)$/.exec(subject)?.[1])
    const row = await db
      .selectFrom('users as user')
      .leftJoin('asn_ownerships as holding', 'holding.account_id', 'user.account_id')
      .select(['user.id', 'user.account_id', 'user.email', 'user.is_admin', 'user.staff_roles', 'holding.verified_at'])
      .select(suspendedByStaff('user.account_id').as('isSuspended'))
      .where('user.id', '=', (Number.isInteger(userId) ? userId : -1) as UserId)
      .executeTakeFirst()
    if (!row) return null
    const {
      id,
      account_id: accountId,
      email,
      is_admin: isAdmin,
      staff_roles: roles,
      verified_at: asnVerifiedAt,
      isSuspended,
    } = row
    return {
      userId: id,
      accountId,
      email,
      isAdmin,
      roles,
      asnVerifiedAt,
      via: 'token',
      sessionId: null,
      scopes: named.length > 0 ? SCOPES.filter((scope) => named.includes(scope)) : SCOPES,
      isSuspended,
    }
  }

  let userCount = 0
  let routers = 0
  let first: LabSite | undefined
  const testApp = {
    app,
    db,
    database,
    bus,
    deps,
    rpki,
    irr,
    registry,
    dns,
    edge,
    /** With an API token of these scopes, by default of all. */
    call: async (
      userId: number | null,
      method: string,
      url: string,
      body?: object,
      scopes?: readonly Scope[],
    ): Promise<Answer> => {
      const response = await app.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url,
        headers: userId === null ? {} : { authorization: `Bearer ${['user-' + userId, ...(scopes ?? [])].join('+')}` },
        ...(body === undefined ? {} : { payload: body }),
      })
      return { status: response.statusCode, body: response.body === '' ? undefined : response.json() }
    },
    async addUser(
      newUser: { isAdmin?: boolean; roles?: readonly StaffRole[]; asn?: number; verified?: boolean } = {},
    ): Promise<UserId> {
      const { id } = await db
        .insertInto('users')
        .values({
          email: `person-${++userCount}@example.net`,
          first_name: 'Ann',
          last_name: 'Example',
          password_hash: '-',
          staff_roles: newUser.isAdmin ? ['owner'] : [...(newUser.roles ?? [])],
          email_verified_at: new Date(),
          last_sign_in_at: null,
          last_sign_in_ip: null,
          closed_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (newUser.asn !== undefined) {
        const verified_at = newUser.verified === false ? null : new Date()
        await db
          .insertInto('asn_ownerships')
          .values({ account_id: accountIdOf(id), asn: newUser.asn, verified_at })
          .execute()
      }
      return id
    },
    async suspend(userId: UserId): Promise<void> {
      const suspension = { account_id: accountIdOf(userId), reason: 'taken over', suspended_by: userId }
      await db
        .insertInto('account_suspensions')
        .values({ ...suspension, suspended_at: new Date() })
        .execute()
    },
    /** The site `lab`, where routers are by default. */
    lab: async (): Promise<LabSite> => (first ??= await addLabSite(db, { slug: 'lab', name: 'Lab', segment: 113 })),
    addLabSite: (site: NewLabSite) => addLabSite(db, site),
    async addRouter(userId: number, at?: LabSite): Promise<number> {
      const place = at ?? (await testApp.lab())
      const number = ++routers
      const { id } = await db
        .insertInto('routers')
        .values({
          account_id: accountIdOf(userId),
          name: `router-${number}`,
          site_id: place.site,
          hypervisor_id: place.hypervisor,
          plan_id: place.plan,
          image_id: place.image,
          cpus: 1,
          memory: 256,
          disk_size: 1,
        } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('address_leases')
        .values({
          router_id: id,
          pool_id: place.pool,
          host_number: number + 1,
          address4: `203.0.${place.segment}.${number + 1}`,
          address6: `2001:db8:${place.segment}::${(number + 1).toString(16)}`,
        })
        .execute()
      return id
    },
    /** A customer with a verified ASN whose connection runs on a router. */
    async addConnected(
      asn: number,
      asSet: string | null = null,
      at?: LabSite,
    ): Promise<{ userId: UserId; routerId: number }> {
      const userId = await testApp.addUser({ asn })
      const routerId = await testApp.addRouter(userId, at)
      const { status, body } = await testApp.call(userId, 'PUT', '/api/transit_connection', { routerId, asSet })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return { userId, routerId }
    },
    /** A customer with a verified ASN of its own. */
    addCustomer: () => testApp.addUser({ asn: 900_000 + userCount }),
    async request(userId: number, value: string, announcementType = 'ORIGIN'): Promise<number> {
      const { status, body } = await testApp.call(userId, 'POST', '/api/transit_prefixes', { value, announcementType })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body.id
    },
    emails: async (userId: number) =>
      (
        await db
          .selectFrom('outgoing_mail')
          .selectAll()
          .where('user_id', '=', userId as UserId)
          .orderBy('id')
          .execute()
      ).map((mail) => ({ ...mail, ...readMailBody(SECRET_KEY, mail)! })),
    prefix: (id: number) =>
      db.selectFrom('transit_prefixes').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Runs everything that is due for one reconciler, once. */
    async settle(reconciler: Reconciler): Promise<void> {
      for (const id of await reconciler.due()) await reconciler.reconcile(id, AbortSignal.timeout(10_000))
    },
    /** Runs the worker as in production, but without the lock on its edge. `edges/testing.ts` has that lock. */
    startWorker(): { stop(): Promise<void> } {
      const end = new AbortController()
      const runs = [...transitReconcilers(deps), ...edgeReconcilers(deps)].map((one) =>
        runReconciler(one, { bus, log, signal: end.signal }),
      )
      return {
        async stop() {
          end.abort()
          await Promise.all(runs)
        },
      }
    },
    async close(): Promise<void> {
      await listening.close()
      await app.close()
    },
  }
  return testApp
}

export type TestApp = Awaited<ReturnType<typeof createTransitTestApp>>

interface NewLabSite {
  readonly slug: string
  readonly name: string
  /** The third octet of its IPv4 segment, also used in its IPv6 one. */
  readonly segment: number
}

export interface LabSite {
  readonly site: number
  readonly hypervisor: number
  readonly plan: number
  readonly image: number
  readonly pool: number
  readonly segment: number
}

async function addLabSite(db: TransitDeps['db'], { slug, name, segment }: NewLabSite): Promise<LabSite> {
  const site = await db.insertInto('sites').values({ slug, name }).returning('id').executeTakeFirstOrThrow()
  const hypervisor = await db
    .insertInto('hypervisors')
    .values({ slug, name, site_id: site.id, driver: 'simulated', cpus: 9, memory: 9, disk: 9 } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const image = await db
    .insertInto('images')
    .values({ slug, name, description: '', source: slug } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const money = { hourly_price: 1, monthly_price: 500, currency: 'EUR' }
  const plan = await db
    .insertInto('plans')
    .values({ slug, name, cpus: 1, memory: 256, disk_size: 1, ...money } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const pool = await db
    .insertInto('address_pools')
    .values({
      site_id: site.id,
      prefix4: `203.0.${segment}.0/24`,
      gateway4: `203.0.${segment}.1`,
      prefix6: `2001:db8:${segment}::/64`,
      gateway6: `2001:db8:${segment}::1`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { site: site.id, hypervisor: hypervisor.id, image: image.id, plan: plan.id, pool: pool.id, segment }
}

/** Polls until `read` returns something, for at most `withinMs`. The edge is queried for its routes every five seconds. */
export async function eventually<T>(read: () => Promise<T | false | null | undefined>, withinMs = 20_000): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await read()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
