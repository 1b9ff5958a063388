import { accountIdOf } from '../../platform/db/testing.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import type { ReceivedRoute } from '../../drivers/edge/index.ts'
import { eventually } from '../testing.ts'
import { transitWithWorker } from '../testing-worker.ts'

const simulated = createSimulatedEdge({ sessionDelayMs: 0 })
const testApp = await transitWithWorker(simulated)
const { call, db, edge } = testApp

const staff = await testApp.addUser({ isAdmin: true })
const { userId: alice } = await testApp.addConnected(500_010)
const { userId: bob } = await testApp.addConnected(500_020)
const unconnected = await testApp.addUser({ asn: 500_040 })

const routesOf = async (userId: number, query = '') =>
  (await call(userId, 'GET', `/api/transit_connection/routes${query}`)).body
const why = async (userId: number, prefix: string) =>
  (await call(userId, 'GET', `/api/transit_connection/why?prefix=${prefix}`)).body

const heard = (given: Partial<ReceivedRoute> & Pick<ReceivedRoute, 'prefix'>): ReceivedRoute => ({
  asPath: '500010',
  origin: 500_010,
  communities: [],
  since: new Date('2026-11-20T10:00:00Z'),
  nextHop: '203.0.113.2',
  accepted: false,
  rejection: 11,
  ...given,
})
const original: typeof edge.receivedRoutes = (id, limit) => simulated.receivedRoutes(id, limit)
/** Sets what the edge receives from every customer, until undone. */
const hears = (...routes: readonly ReceivedRoute[]) => {
  edge.receivedRoutes = async () => ({ routes, complete: true })
  return { [Symbol.dispose]: () => void (edge.receivedRoutes = original) }
}
/** Empties the throttles, so that no test waits for the limit of another. */
const refill = () => db.deleteFrom('throttles').execute()

const approve = async (userId: number, value: string): Promise<number> => {
  const id = await testApp.request(userId, value)
  const body = { reason: 'for the test' }
  const { status } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, body)
  expect(status).toBe(200)
  return id
}

await eventually(async () => {
  const { body } = await call(bob, 'GET', '/api/transit_connection')
  return body.sessions[0]?.state === 'ESTABLISHED'
})
await approve(alice, '45.30.10.0/24')
await approve(bob, '45.30.20.0/24')

test('shows the routes of the own sessions alone', async () => {
  await eventually(async () => (await routesOf(alice)).accepted === 1)
  const { routes, error, complete, next } = await routesOf(alice)
  expect({ error, complete, next }).toEqual({ error: null, complete: true, next: null })
  expect(routes).toMatchObject([{ prefix: '45.30.10.0/24', accepted: true, reason: null, asPath: '500010' }])
  expect((await routesOf(bob)).routes).toMatchObject([{ prefix: '45.30.20.0/24' }])
})

test('says why there is nothing to show to a customer without a router, and asks no edge', async () => {
  const { routes, error } = await routesOf(unconnected)
  expect({ routes, error }).toEqual({ routes: [], error: 'No router is assigned to IP Transit yet.' })
})

test('pages through refused routes first, each once, with reason and fix', async () => {
  await refill()
  const many = Array.from({ length: 7 }, (_, n) => heard({ prefix: `45.30.${n + 30}.0/24` }))
  using _ = hears(heard({ prefix: '45.30.10.0/24', accepted: true, rejection: null }), ...many.toReversed())
  const first = await routesOf(alice, '?limit=3')
  expect(first).toMatchObject({ accepted: 1, refused: 7, complete: true })
  expect(first.routes[0]).toMatchObject({
    prefix: '45.30.30.0/24',
    accepted: false,
    nextHop: '203.0.113.2',
    since: '2026-11-20T10:00:00.000Z',
    reason: { code: 11, text: 'Rejected: the prefix is not approved.', fix: expect.stringContaining('IP Transit') },
  })
  const seen: string[] = []
  for (let next: string | null = ''; next !== null;) {
    const page = await routesOf(alice, `?limit=3${next && `&after=${encodeURIComponent(next)}`}`)
    seen.push(...page.routes.map(({ prefix }: { prefix: string }) => prefix))
    next = page.next
  }
  expect(seen).toEqual([...many.map(({ prefix }) => prefix), '45.30.10.0/24'])
  expect((await routesOf(alice, '?state=accepted')).routes).toHaveLength(1)
  expect((await routesOf(alice, '?search=45.30.33')).routes).toMatchObject([{ prefix: '45.30.33.0/24' }])
  expect((await routesOf(alice, '?search=45.30.33.7')).routes).toMatchObject([{ prefix: '45.30.33.0/24' }])
})

test('refuses what is no search, no page and no destination, and names the field', async () => {
  for (const [url, field] of [
    ['/api/transit_connection/routes?search=show%20protocols', 'search'],
    ['/api/transit_connection/routes?after=r-x', 'after'],
    ['/api/transit_connection/sent_routes?search=45.30.10.1/24', 'search'],
    ['/api/looking_glass?target=8.8.8.8%20all', 'target'],
    ['/api/looking_glass?target=example.net', 'target'],
    ['/api/looking_glass', 'target'],
    ['/api/transit_connection/why?prefix=%22%3B', 'prefix'],
  ] as const) {
    const { status, body } = await call(alice, 'GET', url)
    expect([url, status, body.code, body.errors[0].field]).toEqual([url, 422, 'invalid_fields', field])
  }
})

test('shows what is sent, with the count of all and whether there are more', async () => {
  await refill()
  const { body } = await call(alice, 'GET', '/api/transit_connection/sent_routes')
  expect(body.routes).toMatchObject([{ prefix: '0.0.0.0/0', asPath: '500000' }, { prefix: '::/0' }])
  expect(body).toMatchObject({ complete: true, error: null })
  await eventually(async () => (await call(alice, 'GET', '/api/transit_connection/sent_routes')).body.total === 2)
  const found = await call(alice, 'GET', '/api/transit_connection/sent_routes?search=8.8.8.8')
  expect(found.body.routes).toMatchObject([{ prefix: '0.0.0.0/0' }])
})

test('shows customers the path of others and nothing else of them, and staff who they are', async () => {
  await refill()
  const { body } = await call(alice, 'GET', '/api/looking_glass?target=45.30.20.1')
  expect(body).toMatchObject({ target: '45.30.20.1/32', edge: { name: expect.any(String) }, error: null })
  expect(body.routes).toMatchObject([{ prefix: '45.30.20.0/24', best: true, why: 'The only route.', own: false }])
  expect(body.routes[0].nextHop).toBeNull()
  expect(JSON.stringify(body)).not.toMatch(/customerId|@|203\.0\.113/)
  const own = await call(bob, 'GET', '/api/looking_glass?target=45.30.20.0/24')
  expect(own.body.routes).toMatchObject([{ own: true, nextHop: expect.stringMatching(/^203\.0\.113\./) }])
  const seen = await call(staff, 'GET', '/api/admin/looking_glass?target=45.30.20.1')
  expect(seen.body.routes).toMatchObject([{ customer: { id: bob, email: expect.stringContaining('@') } }])
  expect((await call(staff, 'GET', '/api/admin/looking_glass?target=1.1.1.1&edge=99')).status).toBe(404)
  expect((await call(alice, 'GET', '/api/admin/looking_glass?target=1.1.1.1')).status).toBe(403)
})

test('answers why a prefix is not in the world at the stage where it stops', async () => {
  await refill()
  expect(await why(alice, '45.30.99.0/24')).toMatchObject({
    announced: false,
    at: 'requested',
    answer: '45.30.99.0/24 was not requested.',
    next: 'Request 45.30.99.0/24 under IP Transit.',
    request: null,
  })
  // Another customer's request does not count.
  expect(await why(alice, '45.30.20.0/24')).toMatchObject({ at: 'requested', request: null })
  const waiting = await testApp.request(alice, '45.30.11.0/24')
  expect(await why(alice, '45.30.11.0/24')).toMatchObject({ announced: false, request: { id: waiting } })
  {
    using _ = hears(heard({ prefix: '45.30.10.0/25', rejection: 10 }))
    expect(await why(alice, '45.30.10.0/24')).toMatchObject({
      at: 'received',
      answer: 'Your router does not announce 45.30.10.0/24. It announces 45.30.10.0/25 instead.',
      heard: [{ prefix: '45.30.10.0/25', reason: { code: 10 } }],
    })
    expect(await why(alice, '45.30.10.0/25')).toMatchObject({
      at: 'requested',
      answer: '45.30.10.0/25 was not requested. The edge receives it from your router and rejects it.',
    })
  }
  {
    using _ = hears(heard({ prefix: '45.30.10.0/24', rejection: 8 }))
    expect(await why(alice, '45.30.10.0/24')).toMatchObject({
      announced: false,
      at: 'accepted',
      answer: '45.30.10.0/24: Rejected: the next hop is not the neighbour.',
      next: expect.stringContaining('next-hop-self'),
    })
  }
  await eventually(async () => (await why(alice, '45.30.10.0/24')).announced === true)
}, 30_000)

test('takes thirty lookups of an account at once and then says when to try again', async () => {
  await refill()
  const ask = () =>
    testApp.app.inject({
      url: '/api/looking_glass?target=1.1.1.1',
      headers: { authorization: `Bearer user-${alice}` },
    })
  let refused = await ask()
  for (let n = 0; refused.statusCode === 200 && n < 60; n++) refused = await ask()
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'too_many_requests' })
  expect(refused.headers['retry-after']).toBe('2')
  expect((await call(bob, 'GET', '/api/looking_glass?target=1.1.1.1')).status).toBe(200)
}, 30_000)

test('leaves room for others while one account has many lookups under way', async () => {
  await refill()
  const answers = Promise.withResolvers<void>()
  edge.receivedRoutes = async () => {
    await answers.promise
    return { routes: [], complete: true }
  }
  try {
    const flood = Array.from({ length: 25 }, () => call(alice, 'GET', '/api/transit_connection/routes'))
    await eventually(async () => {
      const { count } = await db
        .selectFrom('edge_questions')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count) >= 6
    })
    await sleep(500)
    const other = call(bob, 'GET', '/api/transit_connection/routes')
    await sleep(500)
    answers.resolve()
    expect((await other).status).toBe(200)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  } finally {
    answers.resolve()
    edge.receivedRoutes = original
  }
})

test('says that the edge does not answer, within its deadline, and leaves no question behind', async () => {
  await refill()
  edge.receivedRoutes = async () => {
    await sleep(10_000)
    return { routes: [], complete: true }
  }
  try {
    const started = performance.now()
    const { error, routes } = await routesOf(alice)
    expect({ error, routes }).toEqual({ error: 'The edge did not answer in time.', routes: [] })
    expect(performance.now() - started).toBeLessThan(12_000)
    expect(await db.selectFrom('edge_questions').selectAll().execute()).toEqual([])
  } finally {
    edge.receivedRoutes = original
  }
}, 20_000)

test('a search in 100 000 routes reads a bounded part, and answers each page in bounded time', async () => {
  await refill()
  const asked: number[] = []
  let made = 0
  // As a real edge does: it stops reading at the limit.
  edge.receivedRoutes = async (_, limit) => {
    asked.push(limit)
    const routes = Array.from({ length: Math.min(limit, 100_000) }, (__, n) =>
      heard({ prefix: `${10 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}.0/24` }),
    )
    made = Math.max(made, routes.length)
    return { routes, complete: false }
  }
  try {
    const began = performance.now()
    const first = await routesOf(alice, '?limit=50')
    expect(first).toMatchObject({ complete: false, error: null })
    expect(first.routes).toHaveLength(50)
    const second = await routesOf(alice, `?limit=50&after=${encodeURIComponent(first.next)}`)
    expect(second.routes[0].prefix).not.toBe(first.routes[49].prefix)
    expect((await routesOf(alice, '?search=10.0.7.0/24')).routes).toMatchObject([{ prefix: '10.0.7.0/24' }])
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(Math.max(...asked)).toBe(5_000)
    expect(made).toBe(5_000)
    // Only the page is stored, and not the list it was cut from.
    const kept = await db
      .selectFrom('edge_questions')
      .select((eb) => eb.fn.max<number>(sql`pg_column_size(answer)`).as('bytes'))
      .where('account_id', '=', accountIdOf(alice))
      .executeTakeFirstOrThrow()
    expect(kept.bytes ?? 0).toBeLessThan(50_000)
  } finally {
    edge.receivedRoutes = original
  }
})

// Last test: from here on no edge is connected.
test('asks no one about an edge without a process', async () => {
  await refill()
  await db.deleteFrom('leases').execute()
  expect(await routesOf(alice)).toMatchObject({ error: 'The edge is not connected.', routes: [] })
})
