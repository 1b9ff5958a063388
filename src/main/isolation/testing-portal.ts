/**
 * The portal that the isolation matrix calls: the app on a database with the role of the web process. It has an
 * operator, B, a newcomer and A, and a client for each.
 */
import type { UserId } from '../../kernel/ids.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { startSession } from '../../accounts/sessions.ts'
import { settingsFor } from '../../cli/testing.ts'
import { systemClock } from '../../kernel/clock.ts'
import { SCOPES, type Scope } from '../../kernel/scope.ts'
import { readConfig } from '../../platform/config.ts'
import { accountIdOf, emptyDatabase, separateIds } from '../../platform/db/testing.ts'
import { asRole, testRoles } from '../../platform/db/testing-roles.ts'
import { applyGrants } from '../../platform/db/grants.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openDatabase } from '../../platform/db/index.ts'
import { keyedDigestOf } from '../../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { chooseDrivers } from '../choose-drivers.ts'
import { createTwinRows } from './testing-twin.ts'
import { installTripwire } from './testing-tripwire.ts'
import { PASSWORD_HASH, readTenantTables, seedTenant, type Tenant } from './testing-tenant-rows.ts'
import { type Schema } from './testing-bodies.ts'

/** As far apart as in other tests, so that no account has the id of a user. */
const idsOf = (id: number) => ({ number: id as UserId, account: accountIdOf(id) })
export const A: Tenant = { ...idsOf(7001), marker: 'qzavictim', octets: '71.1.1', asn: 64_971 }
export const B: Tenant = { ...idsOf(9001), marker: 'qzbother', octets: '91.1.1', asn: 64_991 }
export const ABSENT = 8_388_607

export interface Operation {
  readonly method: string
  readonly path: string
  readonly access: 'public' | 'session' | 'verified' | 'admin'
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly body: Schema | undefined
}
export interface Answer {
  readonly status: number
  readonly text: string
}
type Send = (method: string, target: string, body?: unknown) => Promise<Answer>

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-isolation-'))
afterAll(() => rm(folder, { recursive: true }))
const url = await emptyDatabase()
await migrate(url)
await separateIds(url)
const database = openDatabase({ url })
export const { db } = database
// The web process has its own role, as in docs/operate.md, so that a missing privilege shows here.
export const roles = await testRoles(url)
await db.transaction().execute((transaction) => applyGrants(transaction, roles))
export const tripwire = await installTripwire(db, A, Object.values(roles))
const served = openDatabase({ url: asRole(url, roles.web) })
export const denied: string[] = []
const log = pino(
  { level: process.env['LONGHAUL_ISOLATION_LOG'] ?? 'error' },
  { write: (line: string) => void (line.includes('permission denied') && denied.push(line)) },
)
const { PUBLIC_URL: _, ...env } = settingsFor(url, folder)
const config = readConfig({ ...env, ROLE: 'web' }, 'test')
const drivers = await chooseDrivers(config, 64_500, { testPayments: true })
const SECRET_KEY = 'a secret key that only the tests know'
export const app = await createApp({
  config,
  database: served,
  drivers,
  secretKey: SECRET_KEY,
  publicUrl: () => 'https://portal.example.net',
  log,
  databaseKind: 'postgres',
  operatorAsn: 64_500,
  clock: systemClock,
})
afterAll(async () => {
  await app.close()
  await Promise.all([drivers.hypervisor?.driver.close(), drivers.edge?.driver.close(), drivers.rpki.close()])
  await Promise.all([served.close(), database.close()])
})

export const { paths } = (await app.http.inject('/api/openapi.json')).json<{
  paths: Record<string, Record<string, Record<string, unknown>>>
}>()
const documented: readonly Operation[] = Object.entries(paths).flatMap(([target, methods]) =>
  Object.entries(methods)
    .filter(([, operation]) => operation['x-non-json'] === undefined)
    .map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: target,
      access: operation['x-access'] as Operation['access'],
      parameters: (operation['parameters'] ?? []) as Operation['parameters'],
      body: (operation['requestBody'] as { content: Record<string, { schema: Schema }> } | undefined)?.content[
        'application/json'
      ]?.schema,
    })),
)
// Staff operations last: they are rejected before any query.
export const OPERATIONS = documented.toSorted((a, b) => Number(a.access === 'admin') - Number(b.access === 'admin'))
export const GETS = OPERATIONS.filter(({ method, access }) => method === 'GET' && access !== 'admin')
/** These end the caller's own session or account, by design. */
const ENDS_CALLER = ['POST /api/user/close', 'DELETE /api/session', 'DELETE /api/sessions', 'PUT /api/user/password']
export const changing = OPERATIONS.filter(
  ({ method, path: target, access }) =>
    method !== 'GET' && access !== 'admin' && !ENDS_CALLER.includes(`${method} ${target}`),
)

/** Arguments for functions that work for B. */
export const CONTEXT = {
  a: A,
  b: B,
  actor: { kind: 'user', userId: B.number, ip: '10.0.0.1', requestId: null },
  principal: {
    userId: B.number,
    accountId: B.account,
    sessionId: B.number,
    email: `${B.marker}@example.org`,
    isAdmin: false,
    roles: [],
    asnVerifiedAt: new Date(),
    via: 'session',
    scopes: null,
  },
  deps: {
    config,
    publicUrl: () => 'https://portal.example.net',
    secretKey: SECRET_KEY,
    peeringDb: null,
    log,
    secondFactorResetWaitMs: 86_400_000,
  },
} as const

export let owner: Send, other: Send, newcomer: Send
/** Statements of watched requests that touched a row of A. */
export const trips: string[] = []
const watched =
  (send: Send): Send =>
  async (method, target, body) => {
    tripwire.take()
    const answer = await send(method, target, body)
    // A public operation concerns the address or the link in its body.
    if (accessOf(method, target) !== 'public')
      trips.push(...tripwire.take().map((one) => `${method} ${target}: ${one}`))
    return answer
  }
const accessOf = (method: string, target: string): Operation['access'] | undefined =>
  PATTERNS.find((one) => one.method === method && one.pattern.test(target.split('?')[0]!))?.access
const PATTERNS = OPERATIONS.map(({ method, path: target, access }) => ({
  method,
  access,
  pattern: new RegExp(`^${target.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))
export const callers = new Map<string, Send>()
export let before: ReadonlyMap<string, Answer>
export let tables: Awaited<ReturnType<typeof readTenantTables>>

beforeAll(async () => {
  tables = await readTenantTables(db)
  await seedOperator()
  await seedTenant(db, tables, B)
  await sql`insert into users (email, first_name, last_name, password_hash, email_verified_at)
            values ('newcomer@example.org', 'New', 'Comer', ${PASSWORD_HASH}, now())`.execute(db)
  other = watched(await sessionOf(B.number))
  newcomer = watched(await sessionOf(await idOf('newcomer@example.org')))
  callers.set('another customer', other)
  callers.set('a newcomer', newcomer)
  callers.set('nobody', withHeaders({}))
  callers.set('a token of another customer', watched(await tokenOf(B.number, [...SCOPES])))
  // B's responses before A exists.
  before = await readAll(other)
  await seedTenant(db, tables, A)
  await createTwinRows(db, B, A)
  await sql`grant all on all tables in schema public to ${sql.ref(roles.worker)}`.execute(db)
  await sql`grant all on all sequences in schema public to ${sql.ref(roles.worker)}`.execute(db)
  owner = await sessionOf(A.number)
}, 120_000)

export function fill(target: string, ids: readonly number[]): string {
  let index = 0
  return target.replaceAll(/\{\w+\}/g, () => String(ids[Math.min(index++, ids.length - 1)]))
}

export async function readAll(send: Send, tenant = B): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const { path: target, parameters } of GETS) {
    // A required parameter is address space of the tenant.
    const given = parameters.filter((one) => one.in === 'query' && one.required)
    const query = given.map(({ name }) => `${name}=45.${tenant.octets.split('.')[0]}.0.0/24`).join('&')
    answers.set(target, await send('GET', `${fill(target, [tenant.number])}${query && `?${query}`}`))
  }
  return answers
}
function withHeaders(headers: Record<string, string>): Send {
  return async (method, target, body) => {
    const response = await app.http.inject({
      method: method as 'GET',
      url: target,
      headers: { accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: response.statusCode, text: response.body }
  }
}

export async function sessionOf(userId: UserId): Promise<Send> {
  const secret = await secretOf(userId)
  const response = await app.http.inject({ url: '/api/user', cookies: { session: secret } })
  const csrf = response.cookies.find(({ name }) => name === 'CSRF-TOKEN')!.value
  return withHeaders({ cookie: `session=${secret}; CSRF-TOKEN=${csrf}`, 'x-csrf-token': csrf })
}

export const secretOf = (userId: UserId): Promise<string> => {
  const origin = { actor: { kind: 'user', id: userId, ip: '10.0.0.1' }, ip: '10.0.0.1', userAgent: 'test' } as const
  return startSession(
    { secretKey: SECRET_KEY },
    db,
    userId,
    { ...origin, replaces: null, confirmed: true } as never,
    new Date(),
  )
}

export async function tokenOf(userId: UserId, scopes: readonly Scope[]): Promise<Send> {
  const token = `lht_${crypto.randomUUID()}`
  const allowed = `{${scopes.filter((scope) => !scope.startsWith('staff:')).join(',')}}`
  await sql`insert into api_tokens (digest, user_id, name, created_at, expires_at, scopes, networks)
            values (${keyedDigestOf(SECRET_KEY, token)}, ${userId}, 'matrix', now(), now() + interval '1 day', ${allowed}, '{}')`.execute(
    db,
  )
  return withHeaders({ authorization: `Bearer ${token}` })
}

const idOf = async (email: string): Promise<UserId> =>
  (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

/** Creates a site, a host, a plan, an image, an edge and a member of staff, which both customers use. */
async function seedOperator(): Promise<void> {
  await sql`insert into users (email, first_name, last_name, password_hash, email_verified_at, staff_roles)
            values ('staff@example.net', 'Sta', 'Ff', '-', now(), '{owner}')`.execute(db)
  await sql`insert into sites (slug, name) values ('lab', 'Lab')`.execute(db)
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk) values ('one', 'One', 1, 'simulated', 8, 65536, 100)`.execute(
    db,
  )
  await sql`insert into address_pools (site_id, prefix4, gateway4, prefix6, gateway6)
            values (1, '203.0.113.0/24', '203.0.113.1', '2001:db8:100::/64', '2001:db8:100::1')`.execute(db)
  await sql`insert into images (slug, name, description, source) values ('image', 'Image', '', 'image')`.execute(db)
  await sql`insert into plans (slug, name, cpus, memory, disk_size, hourly_price, monthly_price, currency)
            values ('plan', 'Plan', 2, 512, 4, 1, 500, 'EUR')`.execute(db)
  await sql`insert into transit_edges (slug, name) values ('edge1', 'Edge') on conflict do nothing`.execute(db)
  await sql`insert into maintenance_windows (title, effect, starts_at, ends_at, everywhere, created_at)
            values ('Line cards', 'AT_RISK', now() - interval '1 hour', now() + interval '1 hour', true, now())`.execute(
    db,
  )
}
