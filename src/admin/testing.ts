/**
 * Test app for this slice: the staff API with its own database, a small set of data, and amounts that are easy to
 * recognize.
 */
import { sql } from 'kysely'
import { pino } from 'pino'
import { systemClock } from '../kernel/clock.ts'
import { SCOPES } from '../kernel/scope.ts'
import { accountIdOf, idsOf, testDatabase } from '../platform/db/testing.ts'
import { pretendHeld } from '../platform/leases/testing.ts'
import type { Principal } from '../platform/http/principal.ts'
import { createHttp } from '../platform/http/server.ts'
import { adminRoutes } from './index.ts'

export interface Answer {
  readonly status: number
  // eslint-disable-next-line typescript/no-explicit-any -- tests assert on what came over the wire
  readonly body: any
  /** The number of SQL queries. */
  readonly queries: number
}

export const CREATED = '2026-03-01T12:00:00.000Z'
const STAFF: Principal = {
  ...idsOf(1),
  email: 'staff@example.net',
  isAdmin: true,
  roles: ['owner'],
  asnVerifiedAt: null,
  via: 'token',
  sessionId: null,
  scopes: SCOPES,
}
const USERS: Readonly<Record<string, Principal>> = {
  staff: STAFF,
  customer: { ...STAFF, ...idsOf(2), isAdmin: false, roles: [] },
  // A staff token made for another purpose.
  narrow: { ...STAFF, scopes: ['routers:read'] },
}

export async function createStaffTestApp() {
  let queries = 0
  const { db } = await testDatabase({ onQuery: () => void (queries += 1) })
  const log = pino({ level: 'silent' })
  const { app } = await createHttp({
    config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
    log,
    secretKey: 'a secret key that only the tests know',
    secure: false,
    authenticate: async ({ bearer }) => USERS[bearer ?? ''] ?? null,
  })
  adminRoutes(app, {
    db,
    clock: systemClock,
    supportEmail: 'support@example.net',
    log,
    money: {
      currency: 'EUR',
      chargesThisBillingCycle: async (_, userIds) =>
        new Map(userIds.map((id) => [id, { amount: id * 100, currency: 'EUR' }])),
      revenue: async () => ({
        accrued: { amount: 1_200, currency: 'EUR' },
        projected: { amount: 3_400, currency: 'EUR' },
      }),
    },
    verificationLinks: async (_, viewer, accountIds) =>
      new Map(accountIds.map((id) => [id, `https://portal.example.net/${viewer.userId}/${id}`])),
  })

  const send = async (who: string | null, payload: unknown): Promise<Answer> => {
    queries = 0
    const response = await app.inject({
      method: 'POST',
      url: '/api/graphql',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(who === null ? {} : { authorization: `Bearer ${who}` }),
      },
      payload: JSON.stringify(payload),
    })
    return { status: response.statusCode, body: response.json(), queries }
  }
  return {
    app,
    db,
    send,
    ask: (query: string, variables: object = {}) => send('staff', { query, variables }),
    /** Returns the response's data. An error in it fails the test with its message. */
    read: async (query: string, variables: object = {}) => {
      const { body, queries: taken } = await send('staff', { query, variables })
      if (body.errors) throw new Error(JSON.stringify(body.errors))
      return { ...body.data, taken }
    },
    /** Adds users, each with an ASN, a router, a connection and prefixes. Returns their ids. */
    addCustomers: async (count: number): Promise<number[]> => {
      const ids: number[] = []
      for (let number = 1; number <= count; number++) ids.push(await addCustomer(db, number))
      return ids
    },
  }
}

type Db = Awaited<ReturnType<typeof testDatabase>>['db']

async function addCustomer(db: Db, number: number): Promise<number> {
  const id = await insertId(
    db,
    sql`insert into users (email, first_name, last_name, password_hash, email_verified_at, created_at, last_sign_in_at, last_sign_in_ip)
        values (${`person-${number}@example.net`}, 'Ann', ${`Example ${number}`}, '-', ${CREATED}, ${CREATED}, ${CREATED}, '2001:db8::7')
        returning id`,
  )
  const asn = 500_100 + number
  await sql`insert into asn_ownerships (account_id, asn, verified_at) values (${accountIdOf(id)}, ${asn}, ${CREATED})`.execute(
    db,
  )
  await sql`insert into account_billing_status (account_id, may_be_billed) values (${accountIdOf(id)}, ${number % 2 === 1})`.execute(
    db,
  )
  const router = await insertId(
    db,
    sql`insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size, observed, ready_at, reachable_at)
        select ${accountIdOf(id)}, ${`router-${number}`}, site_id, h.id, p.id, i.id, 2, 512, 4, 'running', now(), now()
        from hypervisors h, plans p, images i limit 1 returning id`,
  )
  await sql`insert into transit_connections (account_id, as_set, router_id) values (${accountIdOf(id)}, ${`AS-${number}`}, ${router})`.execute(
    db,
  )
  for (const [index, status] of ['APPROVED', 'PENDING'].entries()) {
    await sql`insert into transit_prefixes (account_id, value, status, announcement_type, origin_asn, rpki_status, irr_status, imported_at, imported_edge, flagged_at, created_at)
              values (${accountIdOf(id)}, ${`45.${number}.${index}.0/24`}, ${status}, 'ORIGIN', ${asn}, 'VALID', 'NOT_FOUND',
                      ${status === 'APPROVED' ? CREATED : null}, ${status === 'APPROVED' ? 1 : null}, ${status === 'APPROVED' ? CREATED : null}, ${CREATED})`.execute(
      db,
    )
  }
  return id
}

/** Adds two hypervisors at one site, an address pool, a plan and an image. */
export async function addSites(db: Db): Promise<void> {
  await sql`insert into sites (slug, name) values ('lab', 'Lab')`.execute(db)
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk, connected, fault, cpu_usage, memory_usage)
            select 'one', 'One', id, 'simulated', 8, 8192, 100, true, null, 0.25::real, 0.5::real from sites`.execute(
    db,
  )
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk, fault)
            select 'two', 'Two', id, 'libvirt', 8, 8192, 100, 'no answer' from sites`.execute(db)
  for (const slug of ['one', 'two']) await pretendHeld(db, `hypervisor ${slug}`)
  await sql`insert into address_pools (site_id, prefix4, gateway4, prefix6, gateway6)
            select id, '203.0.113.0/24', '203.0.113.1', '2001:db8:100::/64', '2001:db8:100::1' from sites`.execute(db)
  await sql`insert into images (slug, name, description, source) values ('image', 'Image', '', 'image')`.execute(db)
  await sql`insert into plans (slug, name, cpus, memory, disk_size, hourly_price, monthly_price, currency)
            values ('plan', 'Plan', 2, 512, 4, 1, 500, 'EUR')`.execute(db)
}

async function insertId(db: Db, statement: ReturnType<typeof sql<{ id: number }>>): Promise<number> {
  const { rows } = await (statement as ReturnType<typeof sql<{ id: number }>>).execute(db)
  return rows[0]!.id
}
