/** The public API by HTTP alone: rules for every endpoint. `api-contract-endpoints.e2e.ts` tests what each one does. */
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCaller, signIn, signUp, verifyAsn, type Answer, type Caller } from './api-client.ts'
import { PUBLISHED_ENDPOINTS } from './published-endpoints.ts'
import { documentOf, type Documented, type OpenApi } from './document.ts'
import { testServer } from './own-test-server.ts'

const anonymous = createCaller(testServer.url)
let customer: Caller
let other: Caller
let staff: Caller

beforeAll(async () => {
  const account = await signUp(testServer, 'border')
  await verifyAsn(testServer, account, 500_033)
  other = await signIn(testServer.url, account)
  await other.must('POST', '/api/account/payment_methods', { token: 'pm_card_visa' })
  customer = await signIn(testServer.url, 'customer')
  staff = await signIn(testServer.url, 'staff')
})

interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code?: string
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}
const problemOf = ({ headers, body }: Answer): ProblemBody => {
  expect(headers.get('content-type')).toContain('application/problem+json')
  return body as ProblemBody
}
const fieldsOf = (answer: Answer): readonly string[] =>
  problemOf(answer)
    .errors!.map(({ field }) => field)
    .toSorted((a, b) => (a < b ? -1 : 1))

describe('every answer carries x-release-version', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/billing'],
    ['GET', '/no/such/place'],
    ['GET', '/icon.svg'],
    ['GET', '/assets/nothing.js'],
    ['GET', '/api/health'],
    ['HEAD', '/api/health'],
    ['GET', '/api/user'],
    ['GET', '/api/no/such/call'],
    ['PUT', '/api/health'],
    ['GET', '/api/%ff'],
    ['GET', '/metrics'],
    ['POST', '/internal/errors'],
    ['POST', '/mini-profiler-resources/results'],
    ['GET', '/api/openapi.json'],
  ])('%s %s', async (method, target) => {
    expect((await anonymous.send(method, target)).headers.get('x-release-version')).toBe('e2e')
  })

  test('the event stream too', async () => {
    const stop = new AbortController()
    const cookie = [...customer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${testServer.url}/api/events`, { headers: { cookie }, signal: stop.signal })
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-release-version')]).toEqual([
      200,
      expect.stringContaining('text/event-stream'),
      'e2e',
    ])
    stop.abort()
  })

  test.each([
    ['no HTTP', 'GET nonsense HTTP/9.9\r\n\r\n', 400],
    ['a request that names no host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
  ])('and %s', async (_, words, status) => {
    const raw = await sayRaw(words)
    expect(raw).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(raw).toContain('x-release-version: e2e')
    expect(raw).toContain('application/problem+json')
  })

  test('so does the answer to a request that expects what no one knows', async () => {
    const raw = await sayRaw('GET /api/health HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n')
    expect(raw).toMatch(/^HTTP\/1\.1 200 /)
    expect(raw).toContain('x-release-version: e2e')
  })
})

function sayRaw(words: string): Promise<string> {
  const { hostname, port } = new URL(testServer.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(words))
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
    // Rejecting a request while it is being sent ends in a reset; the response before it counts.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
  })
}

describe('an error is problem+json with type, title, status and detail', () => {
  const json = { 'content-type': 'application/json' }
  const rows: readonly (readonly [number, string, () => Promise<Answer>])[] = [
    [400, 'malformed', () => customer.send('POST', '/api/transit_prefixes', '{', json)],
    [400, 'no body', () => customer.send('POST', '/api/transit_prefixes', undefined, json)],
    [401, 'not signed in', () => anonymous.send('GET', '/api/user')],
    [403, 'not staff', () => customer.send('GET', `/api/admin/virtual_machines/${testServer.router.id}`)],
    [404, 'absent', () => customer.send('GET', '/api/virtual_machines/2147483647')],
    [
      409,
      'not in this state',
      () => customer.send('POST', `/api/virtual_machines/${testServer.router.id}/actions`, { action: 'start' }),
    ],
    [413, 'too large', () => customer.send('POST', '/api/transit_prefixes', { value: 'x'.repeat(300_000) })],
    [415, 'not JSON', () => customer.send('POST', '/api/transit_prefixes', 'x', { 'content-type': 'text/plain' })],
    [422, 'invalid', () => customer.send('POST', '/api/transit_prefixes', {})],
  ]
  test.each(rows)('%i: %s', async (status, _, ask) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expect(problemOf(answer)).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      status,
      detail: expect.any(String),
    })
  })

  test('409 names the state in its detail', async () => {
    const answer = await customer.send('POST', `/api/virtual_machines/${testServer.router.id}/actions`, {
      action: 'start',
    })
    expect(problemOf(answer).detail).toContain('RUNNING')
  })

  test('429 says when to try again', async () => {
    const target = 'throttled@example.org'
    for (let tries = 0; tries < 40; tries += 1) {
      const answer = await anonymous.send('POST', '/api/session', { email: target, password: `wrong ${tries}` })
      if (answer.status === 401) continue
      expect(answer.status).toBe(429)
      return expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    throw new Error('forty wrong passwords were not throttled')
  })
})

describe('422 names every wrong field at once, each with a message', () => {
  test.each([
    [
      '/api/users',
      { firstName: '', lastName: 7, email: 'nowhere', password: 'x', nonsense: 1 },
      ['email', 'firstName', 'lastName', 'nonsense', 'password'],
    ],
    ['/api/users', {}, ['email', 'firstName', 'lastName', 'password']],
    ['/api/session', {}, ['email', 'password']],
    ['/api/password', { token: '', password: 'short' }, ['password', 'token']],
  ])('anyone, POST %s %j', async (target, body, fields) => {
    expect(fieldsOf(await anonymous.send('POST', target, body))).toEqual(fields)
  })

  test.each([
    [
      '/api/virtual_machines',
      { name: '-', site: 'nowhere', plan: 'none', image: 'no', more: 1 },
      ['image', 'more', 'name', 'plan', 'site'],
    ],
    ['/api/virtual_machines', { site: 'nowhere' }, ['image', 'name', 'plan', 'site']],
    ['/api/virtual_machines', { name: 'fine', site: 'nowhere', plan: 'none', image: 'no' }, ['image', 'plan', 'site']],
    ['/api/transit_prefixes', { value: '10.0.0.0/8', announcementType: 'SIDEWAYS' }, ['announcementType', 'value']],
    ['/api/transit_prefixes', {}, ['announcementType', 'value']],
    // Invalid in two ways, but still one field.
    ['/api/transit_prefixes', { value: 'fe80::/10', announcementType: 'ORIGIN' }, ['value']],
    ['/api/account/payment_methods', { token: '!', cvc: '123' }, ['cvc', 'token']],
  ])('a customer, POST %s %j', async (target, body, fields) => {
    expect(fieldsOf(await other.send('POST', target, body))).toEqual(fields)
  })

  test('a customer, PUT /api/transit_connection', async () => {
    const answer = await other.send('PUT', '/api/transit_connection', { asn: 'x', asSet: '!', routerId: 2_147_483_647 })
    expect(fieldsOf(answer)).toEqual(['asSet', 'asn', 'routerId'])
  })
})

describe("404 of another customer's thing is that of an absent one", () => {
  const things = ['/api/virtual_machines/', '/api/transit_prefixes/', '/api/invoices/']
  const stripIds = ({ status, body, headers }: Answer): unknown => ({
    status,
    body,
    headers: [...headers.keys()].toSorted((a, b) => (a < b ? -1 : 1)),
  })
  test.each(things.map((thing) => [thing] as const))('%s', async (thing) => {
    const id = thing.includes('machines') ? testServer.router.id : testServer.prefixId
    const theirs = await other.send('GET', thing + id)
    expect(theirs.status).toBe(404)
    expect(stripIds(theirs)).toEqual(stripIds(await other.send('GET', `${thing}2147483647`)))
  })
})

describe('CSRF', () => {
  test('the token is a readable cookie, the session is not', async () => {
    const answer = await fetch(`${testServer.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'customer@example.net', password: 'a long word for the tests' }),
    })
    const cookies = answer.headers.getSetCookie()
    const [session, csrf] = ['session=', 'CSRF-TOKEN='].map((name) => cookies.find((cookie) => cookie.startsWith(name)))
    expect(session).toMatch(/; HttpOnly/)
    expect(session).toMatch(/; SameSite=Lax/)
    expect(session).not.toMatch(/; Secure/)
    expect(csrf).toMatch(/; SameSite=Lax/)
    expect(csrf).not.toMatch(/HttpOnly/)
  })

  test.each(['/', '/login', '/api/health', '/api/user'])('GET %s hands the cookie out', async (target) => {
    const answer = await fetch(testServer.url + target)
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split('=', 1)[0])).toEqual(['CSRF-TOKEN'])
  })

  test.each([
    ['POST', '/api/graphql', { query: '{ users { totalCount } }' }],
    ['PATCH', '/api/user', { firstName: 'Mallory' }],
    ['POST', '/internal/errors', '{}\n'],
    ['DELETE', '/api/session', undefined],
    ['PUT', '/api/no/such/call', {}],
  ] as const)('%s %s on a session without it or with a wrong one is 403', async (method, target, body) => {
    const before = await staff.must('GET', '/api/user')
    for (const token of ['', 'wrong', customer.cookies.get('CSRF-TOKEN')!]) {
      const answer = await staff.send(method, target, body, { 'x-csrf-token': token })
      expect([answer.status, problemOf(answer).code]).toEqual([403, 'csrf'])
    }
    expect(await staff.must('GET', '/api/user')).toEqual(before)
  })

  test('the timings of staff need X-Requested-With in its place', async () => {
    const named = await staff.send('GET', '/api/user')
    const [id] = named.headers.get('profiler-ids')!.split(',')
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-csrf-token': '' }
    const ask = (headers: Record<string, string>) =>
      staff.send('POST', '/mini-profiler-resources/results', `id=${id}&popup=0`, { ...form, ...headers })
    const answer = await ask({ 'x-requested-with': 'XMLHttpRequest' })
    expect(answer.body).toMatchObject({
      id,
      request_method: 'GET',
      request_path: '/api/user',
      duration_milliseconds: expect.any(Number),
      started_at: expect.stringMatching(/Z$/),
      sql_count: expect.any(Number),
      sql_timings: expect.arrayContaining([
        {
          id: expect.any(String),
          start_milliseconds: expect.any(Number),
          duration_milliseconds: expect.any(Number),
          formatted_command_string: expect.any(String),
        },
      ]),
      root: { children: expect.any(Array) },
    })
    expect((await ask({})).status).toBe(403)
    const unknown = await staff.send('POST', '/mini-profiler-resources/results', 'id=nobody&popup=0', {
      ...form,
      'x-requested-with': 'XMLHttpRequest',
    })
    expect(problemOf(unknown)).toMatchObject({ status: 404 })
    expect((await staff.send('GET', '/api/no/such/call')).headers.has('profiler-ids')).toBe(true)
    expect((await customer.send('GET', '/api/user')).headers.has('profiler-ids')).toBe(false)
  })

  test('a bearer token needs none', async () => {
    const { token } = await other.must<{ token: string }>('POST', '/api/user/api_tokens', {
      name: 'no csrf',
      scopes: ['account:write'],
    })
    const answer = await anonymous.send(
      'PATCH',
      '/api/user',
      { firstName: 'Programmed' },
      {
        authorization: `Bearer ${token}`,
        cookie: '',
        'x-csrf-token': '',
      },
    )
    expect(answer.status, answer.text).toBe(200)
  })
})

describe('Idempotency-Key: the same body answers what the first did, another is 422', () => {
  const order = (name: string) => ({ name, site: 'ams1', plan: 'lark', image: 'longhaul-appliance' })
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ['/api/virtual_machines', order('once-a'), order('once-b')],
    [
      '/api/transit_prefixes',
      { value: '45.30.33.0/24', announcementType: 'ORIGIN' },
      { value: '45.30.35.0/24', announcementType: 'ORIGIN' },
    ],
    ['/api/account/payment_methods', { token: 'pm_card_mastercard' }, { token: 'pm_card_visa' }],
    ['/api/user/api_tokens', { name: 'a', scopes: ['routers:read'] }, { name: 'b', scopes: ['routers:read'] }],
    ['/api/user/totp', {}, { unknown: 1 }],
  ]
  test.each(rows)('POST %s', async (target, body, another) => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await other.send('POST', target, body, key)
    expect(first.status, first.text).toBeLessThan(300)
    const again = await other.send('POST', target, body, key)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    const different = await other.send('POST', target, another, key)
    expect(different.status).toBe(422)
  })

  test('a router ordered twice under one key is one router', async () => {
    const machines = await other.must<{ name: string }[]>('GET', '/api/virtual_machines')
    expect(machines.filter(({ name }) => name.startsWith('once-'))).toHaveLength(1)
  })

  test('POST /api/users sends one email, and POST …/actions acts once', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const user = { firstName: 'A', lastName: 'B', email: 'idem@example.org', password: 'quite a long word of mine' }
    expect((await anonymous.send('POST', '/api/users', user, key)).status).toBe(202)
    expect((await anonymous.send('POST', '/api/users', user, key)).status).toBe(202)
    expect((await anonymous.send('POST', '/api/users', { ...user, lastName: 'C' }, key)).status).toBe(422)
    const [machine] = await other.until<{ id: number; state: string }[]>(
      '/api/virtual_machines',
      ([first]) => first?.state === 'RUNNING',
    )
    const act = (action: string) =>
      other.send('POST', `/api/virtual_machines/${machine!.id}/actions`, { action }, { 'idempotency-key': 'act-once' })
    expect((await act('shutdown')).status).toBe(202)
    expect((await act('shutdown')).status).toBe(202)
    expect((await act('stop')).status).toBe(422)
  })
})

describe('the OpenAPI document', () => {
  let document: OpenApi
  let operations: readonly (readonly [key: string, operation: Documented])[]
  beforeAll(async () => {
    document = await documentOf(testServer.url)
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    )
  })

  test('is OpenAPI 3.1, named after the product and its release', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toEqual({ title: 'Longhaul', version: 'e2e' })
  })

  test('gives every operation an id of its own, its parameters, and described answers', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [key, { parameters = [], responses, summary }] of operations) {
      const inPath = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = parameters.filter((one) => one.in === 'path')
      expect
        .soft(
          declared.map(({ name }) => name),
          key,
        )
        .toEqual(inPath)
      expect
        .soft(
          declared.every(({ required }) => required),
          key,
        )
        .toBe(true)
      expect.soft(summary, key).not.toBe('')
      expect
        .soft(
          Object.keys(responses).some((status) => status.startsWith('2')),
          key,
        )
        .toBe(true)
      for (const { description } of Object.values(responses)) expect.soft(description, key).not.toBe('')
    }
  })

  test('refers to nothing that it does not hold', () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name!)
    for (const name of new Set(names)) {
      expect.soft(document.components.schemas, name).toHaveProperty(name.replace('#/components/schemas/', ''))
    }
  })

  test.each(PUBLISHED_ENDPOINTS)('has %s', (key) => {
    expect(operations.map(([known]) => known)).toContain(key)
  })
})
