/**
 * Nothing of one customer reaches another. Each row of customer A carries a marker. Every operation of the OpenAPI
 * document is called with A's ids, with absent ids and with mixtures. The callers are another customer, a user who just
 * signed up, an anonymous caller, and tokens without the scope. In addition, no query for B may touch a row of A,
 * whether or not a response shows it: see testing-tripwire.ts. scripts/isolation.test.ts shows that each removed
 * condition is noticed.
 */
import type { UserId } from '../../kernel/ids.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { SCOPES, type Scope } from '../../kernel/scope.ts'
import { ACCOUNT_CALLS } from './testing-account-calls.ts'
import { SERVICE_CALLS } from './testing-service-calls.ts'
import { leaksOfCall } from './testing-calls.ts'
import { rowsOf, type Tenant } from './testing-tenant-rows.ts'
import { aimedBody, plainBody } from './testing-bodies.ts'
import {
  A,
  ABSENT,
  app,
  B,
  before,
  callers,
  changing,
  CONTEXT,
  db,
  denied,
  fill,
  GETS,
  newcomer,
  OPERATIONS,
  other,
  owner,
  paths,
  readAll,
  roles,
  secretOf,
  sessionOf,
  tables,
  tokenOf,
  tripwire,
  trips,
  type Answer,
  type Operation,
} from './testing-portal.ts'
import { writeWhoNotices, type Probe } from './testing-removals.ts'

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
  expect(failed).toEqual(FOUND_BY_CODE.map((key) => `404 ${key}`))
  // A query without its condition may return the first row there is, which is B's.
  for (const [key, { text }] of answers) expect.soft(holds(B, text), `${key}: ${text}`).toBe(false)
})

test('what B reads does not depend on A', async () => {
  const after = await readAll(other)
  expect(after.size).toBe(before.size)
  for (const [key, answer] of after) expect.soft(comparable(answer), key).toEqual(comparable(before.get(key)!))
})

const PROBES: readonly Probe[] = [
  ...[...ACCOUNT_CALLS, ...SERVICE_CALLS].map((one): Probe => ({
    name: `no row of A is touched when B is asked for to ${one.name}`,
    rolledBack: true,
    leaks: () => leaksOfCall(db, { tripwire, role: roles.worker, context: CONTEXT }, one),
  })),
  ...GETS.map(({ path: target }): Probe => ({
    name: `nothing of A is in what B reads at ${target}`,
    leaks: async () => ofAnswer(await other('GET', fill(target, [B.number])), 'B'),
  })),
  ...OPERATIONS.filter(({ path: target }) => target.includes('{')).map((operation): Probe => ({
    name: `nothing of A is in the answer to ids of A in ${operation.method} ${operation.path}`,
    leaks: () => leaksOfIds(operation),
  })),
  ...GETS.filter(({ parameters }) => parameters.some((one) => one.in === 'query')).map((operation): Probe => ({
    name: `nothing of A is found by ${operation.path}`,
    leaks: () => leaksOfSearch(operation),
  })),
  ...changing
    .filter(({ body }) => body !== undefined)
    .map((operation): Probe => ({
      name: `nothing of A is in the answer to a body that names what is A’s in ${operation.method} ${operation.path}`,
      leaks: () => leaksOfBody(operation),
    })),
]

const ofAnswer = ({ text }: Answer, what: string): string[] => [
  ...(ofA(text) ? [`${what}: ${text}`] : []),
  ...trips.splice(0).map((trip) => `${what}: ${trip}`),
]

async function leaksOfIds({ method, path: target, body }: Operation): Promise<string[]> {
  const leaks: string[] = []
  const sent = plainBody(`${method} ${target}`, body)
  for (const [name, send] of callers) {
    const absent = await send(method, fill(target, [ABSENT]), sent)
    for (const ids of mixtures(target)) {
      const what = `${name}, ${ids.join(' and ')}`
      const answer = await send(method, fill(target, ids), sent)
      if (!isDeepStrictEqual(comparable(answer), comparable(absent)))
        leaks.push(`${what}: ${answer.text} instead of ${absent.text}`)
      leaks.push(...ofAnswer(answer, what))
    }
  }
  return leaks
}

async function leaksOfSearch({ path: target, parameters }: Operation): Promise<string[]> {
  const leaks: string[] = []
  for (const [name, send] of callers)
    for (const { name: parameter } of parameters.filter((one) => one.in === 'query'))
      for (const wanted of [String(A.number), A.marker, `${A.marker}-router`]) {
        const { status, text } = await send('GET', `${fill(target, [B.number])}?${parameter}=${wanted}`)
        leaks.push(...ofAnswer({ status, text: text.replaceAll(wanted, '') }, name))
      }
  return leaks
}

async function leaksOfBody({ method, path: target, body }: Operation): Promise<string[]> {
  const leaks: string[] = []
  for (const [name, send] of callers)
    for (const sent of aimedBody(`${method} ${target}`, body!, A)) {
      const { status, text } = await send(method, fill(target, [B.number]), sent)
      const echoed = JSON.stringify(sent)
      // A response may echo what the caller sent.
      const words = text.split(/[^\w.:/-]+/).filter((word) => !echoed.includes(word))
      leaks.push(...ofAnswer({ status, text: words.join(' ') }, `${name} ${echoed}`))
      if (status >= 500) leaks.push(`${name} ${echoed}: ${text}`)
    }
  return leaks
}

test.each(PROBES.map((probe) => [probe.name, probe] as const))('%s', async (_, { leaks }) => {
  expect(await leaks()).toEqual([])
})

describe('no answer holds anything of A', () => {
  test('a token of A without the scope gets nothing of A', async () => {
    // A token that signs in no one would be rejected everywhere.
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

  test('no field of GraphQL holds anything of A', async () => {
    const staff = await sessionOf(1 as UserId)
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
  const read = async (userId: UserId) => {
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
  // Jobs may publish events about B's own rows at any time.
  const ids = [...theirs.text().matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))
  expect(ids.filter((id) => id !== B.number)).toEqual([])
  await Promise.all([mine.end(), theirs.end()])
})

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcHWXJQm6yUqzpA4Ie6U2VYVwKc9yYcGJkZ0cFv3z8M matrix@example.org'
/** Documents that anyone with the printed code may read: no id leads there. */
const FOUND_BY_CODE: readonly string[] = ['/api/loas/{code}']
/** The operator's data, or counts and times: comparing B's reads before and after shows that A's are not among them. */
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
  // Asks an edge, which no process drives here.
  '/api/transit_connection/routes',
  '/api/transit_connection/sent_routes',
  '/api/transit_prefixes/quota',
  '/api/user/close',
  '/api/user/mail_preferences',
  '/api/user/recovery_codes',
  '/api/virtual_machines/{id}/metrics',
]

/** Returns whether the text contains anything of this customer: its marker, its numbers, its address space. */
const holds = ({ marker, number, asn, octets }: Tenant, text: string): boolean =>
  text.toLowerCase().includes(marker) ||
  new RegExp(`(?<![\\d.])(${number}|${asn})(?!\\d)`).test(text) ||
  text.includes(`45.${octets.split('.')[0]}.`)
const ofA = (text: string): boolean => holds(A, text)

/** Removes what differs between requests: request ids and times. */
function comparable({ status, text }: Answer): unknown {
  const body = text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
    .replaceAll(/("T",?|null,?|(?<!\d)0,?)+/g, 'T')
    .replaceAll(/(\nT,T)+/g, '')
    .replaceAll(/"(instance|requestId)":"[^"]*"/g, '')
  return { status, body }
}

/** Puts A's id in each position, with B's ids and absent ids in the others. */
function mixtures(target: string): readonly (readonly number[])[] {
  const count = target.split('{').length - 1
  if (count === 1) return [[A.number]]
  return [
    [A.number, A.number],
    [A.number, B.number],
    [B.number, A.number],
  ]
}

// Runs last: all calls above were made.
test('no call needed a right that the role of the web process lacks', () => {
  expect(denied).toEqual([])
})

test('nothing of A was changed by anyone else', async () => {
  const rows = await rowsOf(db, tables, A)
  // The public ones write to A by design: a requested password reset, a second sign-up.
  for (const operation of changing.filter(({ access }) => access !== 'public')) {
    const key = `${operation.method} ${operation.path}`
    for (const send of [other, newcomer])
      for (const ids of operation.path.includes('{') ? mixtures(operation.path) : [[0]])
        for (const body of operation.body ? aimedBody(key, operation.body, A) : [undefined])
          await send(operation.method, fill(operation.path, ids), body)
  }
  expect(await rowsOf(db, tables, A)).toBe(rows)
})

/** Set in a copy of the tree whose conditions can be switched off. */
const REMOVALS = process.env['LONGHAUL_ISOLATION_REMOVALS']

test.runIf(REMOVALS)('which probe notices that a condition is removed', { timeout: 900_000 }, () =>
  writeWhoNotices(PROBES, REMOVALS!),
)
