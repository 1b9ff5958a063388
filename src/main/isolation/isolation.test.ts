/**
 * Nothing of one customer reaches another: each row of customer A carries a marker, and every operation of the OpenAPI
 * document is asked with A's ids, with absent ids and with mixtures of ids, by another customer, by somebody who just
 * signed up, by nobody, and by tokens without the scope. scripts/isolation shows that it notices removed conditions.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '../../accounts/sessions.ts'
import { settingsFor } from '../../cli/testing.ts'
import { systemClock } from '../../kernel/clock.ts'
import { SCOPES, type Scope } from '../../kernel/scope.ts'
import { readConfig } from '../../platform/config.ts'
import { emptyDatabase } from '../../platform/db/testing.ts'
import { asRole, testRoles } from '../../platform/db/testing-roles.ts'
import { applyGrants } from '../../platform/db/grants.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { openDatabase } from '../../platform/db/index.ts'
import { keyedDigestOf } from '../../accounts/tokens.ts'
import { createApp } from '../app.ts'
import { chooseDrivers } from '../choose-drivers.ts'
import { PASSWORD_HASH, readTenantTables, rowsOf, seedTenant, type Tenant } from './testing-tenant-rows.ts'
import { aimedBody, plainBody, type Schema } from './testing-bodies.ts'

const A: Tenant = { number: 7001, marker: 'qzavictim', octets: '71.1.1', asn: 64_971 }
const B: Tenant = { number: 9001, marker: 'qzbother', octets: '91.1.1', asn: 64_991 }
const ABSENT = 8_388_607

interface Operation {
  readonly method: string
  readonly path: string
  readonly access: 'public' | 'session' | 'verified' | 'admin'
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly body: Schema | undefined
}
interface Answer {
  readonly status: number
  readonly text: string
}
type Send = (method: string, target: string, body?: unknown) => Promise<Answer>

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-isolation-'))
afterAll(() => rm(folder, { recursive: true }))
const url = await emptyDatabase()
await migrate(url)
const database = openDatabase({ url })
const { db } = database
// The web process has a role of its own, as docs/operate.md has it: what it may not write shows here.
const roles = await testRoles(url)
await db.transaction().execute((transaction) => applyGrants(transaction, roles))
const served = openDatabase({ url: asRole(url, roles.web) })
const denied: string[] = []
const log = pino(
  { level: process.env['LONGHAUL_ISOLATION_LOG'] ?? 'error' },
  { write: (line: string) => void (line.includes('permission denied') && denied.push(line)) },
)
const { PUBLIC_URL: _, ...env } = settingsFor(url, folder)
const config = readConfig({ ...env, ROLE: 'web' }, 'test')
const drivers = await chooseDrivers(config, 64_500, { testPayments: true })
const SECRET_KEY = 'a secret key that only the tests know'
const app = await createApp({
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

const { paths } = (await app.http.inject('/api/openapi.json')).json<{
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
// Those of staff last: they are refused before any query.
const OPERATIONS = documented.toSorted((a, b) => Number(a.access === 'admin') - Number(b.access === 'admin'))
const GETS = OPERATIONS.filter(({ method, access }) => method === 'GET' && access !== 'admin')
/** They end the caller's own session or account, by design. */
const ENDS_CALLER = ['POST /api/user/close', 'DELETE /api/session', 'DELETE /api/sessions', 'PUT /api/user/password']
const changing = OPERATIONS.filter(
  ({ method, path: target, access }) =>
    method !== 'GET' && access !== 'admin' && !ENDS_CALLER.includes(`${method} ${target}`),
)

let owner: Send, other: Send, newcomer: Send
const callers = new Map<string, Send>()
let before: ReadonlyMap<string, Answer>
let tables: Awaited<ReturnType<typeof readTenantTables>>

beforeAll(async () => {
  tables = await readTenantTables(db)
  await seedOperator()
  await seedTenant(db, tables, B)
  await sql`insert into users (email, first_name, last_name, password_hash, email_verified_at)
            values ('newcomer@example.org', 'New', 'Comer', ${PASSWORD_HASH}, now())`.execute(db)
  other = await sessionOf(B.number)
  newcomer = await sessionOf(await idOf('newcomer@example.org'))
  callers.set('another customer', other)
  callers.set('a newcomer', newcomer)
  callers.set('nobody', withHeaders({}))
  callers.set('a token of another customer', await tokenOf(B.number, [...SCOPES]))
  // What B reads while there is no A at all.
  before = await readAll(other)
  await seedTenant(db, tables, A)
  owner = await sessionOf(A.number)
}, 120_000)

test('every table of customers has a row of A, and A reads what is theirs', async () => {
  expect([...tables.keys()].length).toBeGreaterThan(45)
  for (const [table] of tables) {
    const { rows: found } =
      await sql`select from ${sql.table(table)} t where to_jsonb(t)::text ~ ${`${A.marker}|${A.number}`}`.execute(db)
    expect.soft(found.length, table).toBeGreaterThan(0)
  }
  const answers = await readAll(owner, A)
  const unseen = [...answers].filter(([, { status, text }]) => status === 200 && !ofA(text)).map(([key]) => key)
  const failed = [...answers].filter(([, { status }]) => status >= 400).map(([key, { status }]) => `${status} ${key}`)
  expect(unseen.toSorted()).toEqual(PUBLIC_READS)
  expect(failed).toEqual([])
  // A query without its condition may answer with the first row that there is, which is B's.
  for (const [key, { text }] of answers) expect.soft(holds(B, text), `${key}: ${text}`).toBe(false)
})

test('what B reads does not depend on A', async () => {
  const after = await readAll(other)
  expect(after.size).toBe(before.size)
  for (const [key, answer] of after) expect.soft(comparable(answer), key).toEqual(comparable(before.get(key)!))
})

describe('no answer holds anything of A', () => {
  test.each(
    OPERATIONS.filter(({ path: target }) => target.includes('{')).map(
      (one) => [`${one.method} ${one.path}`, one] as const,
    ),
  )('with ids of A in %s', async (key, operation) => {
    for (const [name, send] of callers) {
      const absent = await send(operation.method, fill(operation.path, [ABSENT]), plainBody(key, operation.body))
      for (const ids of mixtures(operation.path)) {
        const answer = await send(operation.method, fill(operation.path, ids), plainBody(key, operation.body))
        expect.soft(comparable(answer), `${name}, ${ids.join(' and ')}`).toEqual(comparable(absent))
        expect.soft(ofA(answer.text), `${name}, ${ids.join(' and ')}: ${answer.text}`).toBe(false)
      }
    }
  })

  test.each(
    GETS.filter(({ parameters }) => parameters.some((one) => one.in === 'query')).map(
      (one) => [one.path, one] as const,
    ),
  )('to what is searched for in %s', async (_key, { path: target, parameters }) => {
    for (const [name, send] of callers)
      for (const { name: parameter } of parameters.filter((one) => one.in === 'query'))
        for (const wanted of [String(A.number), A.marker, `${A.marker}-router`]) {
          const answer = await send('GET', `${fill(target, [B.number])}?${parameter}=${wanted}`)
          expect.soft(ofA(answer.text.replaceAll(wanted, '')), `${name}: ${answer.text}`).toBe(false)
        }
  })

  test.each(
    changing.filter(({ body }) => body !== undefined).map((one) => [`${one.method} ${one.path}`, one] as const),
  )('to a body that names what is A’s in %s', async (key, { method, path: target, body }) => {
    for (const [name, send] of callers) {
      for (const sent of aimedBody(key, body!, A)) {
        const answer = await send(method, fill(target, [B.number]), sent)
        const echoed = JSON.stringify(sent)
        const words = answer.text.split(/[^\w.:/-]+/).filter((word) => ofA(word) && !echoed.includes(word))
        expect.soft(words, `${name} ${echoed}: ${answer.text}`).toEqual([])
        expect.soft(answer.status, `${name} ${echoed}: ${answer.text}`).toBeLessThan(500)
      }
    }
  })

  test('to a token of A without the scope', async () => {
    // A token that signs in nobody would be refused everywhere.
    const all = await tokenOf(A.number, [...SCOPES])
    expect((await all('GET', '/api/user')).status).toBe(200)
    const areas = [...new Set(SCOPES.map((scope) => scope.split(':')[0]!))]
    for (const area of areas) {
      const read = `${area}:read` as Scope
      const send = await tokenOf(
        A.number,
        SCOPES.filter((scope) => !scope.startsWith(`${area}:`)),
      )
      for (const operation of OPERATIONS) {
        const scope = (paths[operation.path]![operation.method.toLowerCase()]!['x-scope'] ?? '') as string
        if (!scope.startsWith(`${area}:`) || operation.method !== 'GET') continue
        const answer = await send('GET', fill(operation.path, [A.number]))
        expect.soft(answer.status, `${read} ${operation.path}`).toBe(403)
        expect.soft(ofA(answer.text), `${read} ${operation.path}: ${answer.text}`).toBe(false)
      }
    }
  })

  test('to any field of GraphQL', async () => {
    const staff = await sessionOf(1)
    const introspection = await staff('POST', '/api/graphql', {
      query:
        '{ __schema { queryType { fields { name type { ofType { fields { name } } fields { name } } args { name } } } } }',
    })
    const fields = [...introspection.text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name!)
    expect(fields.length).toBeGreaterThan(20)
    for (const [name, send] of callers)
      for (const field of new Set(fields)) {
        const answer = await send('POST', '/api/graphql', { query: `{ ${field} { __typename id } }` })
        expect.soft([401, 403], `${name}: ${field}`).toContain(answer.status)
        expect.soft(ofA(answer.text), `${name}: ${field} ${answer.text}`).toBe(false)
      }
  })
})

test('the event stream tells B nothing of A', async () => {
  await app.startWork()
  const address = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const read = async (userId: number) => {
    const stop = new AbortController()
    const response = await fetch(`${address}/api/events`, {
      headers: { cookie: `session=${await secretOf(userId)}` },
      signal: stop.signal,
    })
    let text = ''
    const done = (async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk).toString()
    })().catch(() => undefined)
    return { text: () => text, end: () => (stop.abort(), done) }
  }
  const [mine, theirs] = [await read(A.number), await read(B.number)]
  await owner('PATCH', `/api/user`, { firstName: `${A.marker}-users-first_name` })
  await owner('PATCH', `/api/virtual_machines/${A.number}`, { name: `${A.marker}-router` })
  await owner('POST', '/api/user/ssh_keys', { name: `${A.marker}-key`, publicKey: SSH_KEY })
  await expect.poll(mine.text).toContain(`"id":${A.number}`)
  expect(ofA(theirs.text())).toBe(false)
  // Jobs may have news of B's own at any time.
  const ids = [...theirs.text().matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
  expect(ids.filter((id) => id !== B.number)).toEqual([])
  await Promise.all([mine.end(), theirs.end()])
})

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcHWXJQm6yUqzpA4Ie6U2VYVwKc9yYcGJkZ0cFv3z8M matrix@example.org'
/** Of the operator, or counts and times: what B reads before and after shows that A's are not among them. */
const PUBLIC_READS: readonly string[] = [
  '/api/billing/prices',
  '/api/billing/transit',
  '/api/billing/transit/samples',
  '/api/billing/transit/samples.csv',
  '/api/catalogue',
  '/api/health',
  '/api/notice',
  '/api/ready',
  '/api/session/confirmation',
  '/api/user/close',
  '/api/user/mail_preferences',
  '/api/user/recovery_codes',
  '/api/virtual_machines/{id}/metrics',
]

/** Whether the text holds anything of this customer: its marker, its numbers, its space. */
const holds = ({ marker, number, asn, octets }: Tenant, text: string): boolean =>
  text.toLowerCase().includes(marker) ||
  new RegExp(`(?<![\\d.])(${number}|${asn})(?!\\d)`).test(text) ||
  text.includes(`45.${octets.split('.')[0]}.`)
const ofA = (text: string): boolean => holds(A, text)

/** Without what is of the request itself. */
function comparable({ status, text }: Answer): unknown {
  const body = text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T').replaceAll(/"(instance|requestId)":"[^"]*"/g, '')
  return { status, body }
}

/** A's id in each place, beside ids of B and absent ones. */
function mixtures(target: string): readonly (readonly number[])[] {
  const count = target.split('{').length - 1
  if (count === 1) return [[A.number]]
  return [
    [A.number, A.number],
    [A.number, B.number],
    [B.number, A.number],
  ]
}

function fill(target: string, ids: readonly number[]): string {
  let index = 0
  return target.replaceAll(/\{\w+\}/g, () => String(ids[Math.min(index++, ids.length - 1)]))
}

async function readAll(send: Send, tenant = B): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const { path: target } of GETS) answers.set(target, await send('GET', fill(target, [tenant.number])))
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

async function sessionOf(userId: number): Promise<Send> {
  const secret = await secretOf(userId)
  const response = await app.http.inject({ url: '/api/user', cookies: { session: secret } })
  const csrf = response.cookies.find(({ name }) => name === 'CSRF-TOKEN')!.value
  return withHeaders({ cookie: `session=${secret}; CSRF-TOKEN=${csrf}`, 'x-csrf-token': csrf })
}

const secretOf = (userId: number): Promise<string> => {
  const origin = { actor: { kind: 'user', id: userId, ip: '10.0.0.1' }, ip: '10.0.0.1', userAgent: 'test' } as const
  return startSession(
    { secretKey: SECRET_KEY },
    db,
    userId,
    { ...origin, replaces: null, confirmed: true } as never,
    new Date(),
  )
}

async function tokenOf(userId: number, scopes: readonly Scope[]): Promise<Send> {
  const token = `lht_${crypto.randomUUID()}`
  const allowed = `{${scopes.filter((scope) => !scope.startsWith('staff:')).join(',')}}`
  await sql`insert into api_tokens (digest, user_id, name, created_at, expires_at, scopes, networks)
            values (${keyedDigestOf(SECRET_KEY, token)}, ${userId}, 'matrix', now(), now() + interval '1 day', ${allowed}, '{}')`.execute(
    db,
  )
  return withHeaders({ authorization: `Bearer ${token}` })
}

const idOf = async (email: string): Promise<number> =>
  (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

/** A site, a host, a plan, an image, an edge and a member of staff: what both customers use. */
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
}

// Last: everything above was asked.
test('no call needed a right that the role of the web process lacks', () => {
  expect(denied).toEqual([])
})

test('nothing of A was changed by anybody else', async () => {
  const rows = await rowsOf(db, tables, A)
  // The public ones write to A: a password reset that somebody asked for, a second sign-up.
  for (const operation of changing.filter(({ access }) => access !== 'public')) {
    const key = `${operation.method} ${operation.path}`
    for (const send of [other, newcomer])
      for (const ids of operation.path.includes('{') ? mixtures(operation.path) : [[0]])
        for (const body of operation.body ? aimedBody(key, operation.body, A) : [undefined])
          await send(operation.method, fill(operation.path, ids), body)
  }
  expect(await rowsOf(db, tables, A)).toBe(rows)
})
