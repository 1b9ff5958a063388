import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { conflict } from '../../kernel/problem.ts'
import { testDatabase } from '../db/testing.ts'
import { createLog } from '../log.ts'
import { CSRF_COOKIE } from './csrf.ts'
import { mount } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { SCOPES, type Scope } from '../../kernel/scope.ts'
import type { Principal } from './principal.ts'
import { createHttp } from './server.ts'

const { db } = await testDatabase()

const people: Record<string, Principal> = {
  'customer-secret': person(1, {}),
  'other-secret': person(2, {}),
  'unverified-secret': person(3, { asnVerifiedAt: null }),
  'staff-secret': person(4, { isAdmin: true, roles: ['support'] }),
}
function person(userId: number, more: Partial<Principal>): Principal {
  return {
    userId,
    email: `u${userId}@example.net`,
    isAdmin: false,
    roles: [],
    asnVerifiedAt: new Date(),
    via: 'session',
    sessionId: 1,
    scopes: null,
    ...more,
  }
}

const api = defineApi({
  'GET /api/open': { summary: 'Anyone', access: 'public', ok: [200, z.object({ who: z.int().nullable() })] },
  'GET /api/mine': { summary: 'Signed in', access: 'session', ok: [200, z.object({ who: z.int() })] },
  'GET /api/network': { summary: 'Verified', access: 'verified', ok: [200, z.object({ who: z.int() })] },
  'GET /api/staff': { summary: 'Staff', access: 'admin', ok: [200, z.object({ who: z.int() })] },
  'GET /api/things/{id}': {
    summary: 'One thing',
    access: 'public',
    params: z.object({ id: z.coerce.number().int().positive() }),
    ok: [200, z.object({ id: z.int() })],
  },
  'GET /api/things/{id}.csv': {
    summary: 'One thing as a file',
    access: 'session',
    params: z.object({ id: z.coerce.number().int().positive() }),
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'POST /api/things': {
    summary: 'Make a thing',
    access: 'session',
    body: z.strictObject({ name: z.string().min(1, 'takes at least one character'), size: z.int() }),
    ok: [201, z.object({ made: z.int() })],
  },
  'POST /api/secrets': {
    summary: 'Make a secret',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ name: z.string() }),
    ok: [201, z.object({ secret: z.string() })],
  },
  'POST /api/broken': { summary: 'Fails', access: 'public', body: z.strictObject({}), ok: [204, null] },
})

let app: FastifyInstance
/** Of every bearer token in this file. */
let scopesOfTokens: readonly Scope[] = SCOPES
beforeAll(async () => {
  await sql`create table things (id bigint generated always as identity primary key, name text not null)`.execute(db)
  const http = await createHttp({
    config: { RELEASE: 'r42', TRUSTED_PROXIES: [] },
    log: createLog('silent'),
    secretKey: 'k'.repeat(32),
    secure: false,
    authenticate: ({ sessionToken, bearer }) => {
      const found = people[sessionToken ?? bearer ?? ''] ?? null
      return Promise.resolve(
        found && bearer ? { ...found, via: 'token', sessionId: null, scopes: scopesOfTokens } : found,
      )
    },
  })
  app = http.app
  mount(
    app,
    api,
    {
      'GET /api/open': (_input, { principal }) => ({ who: principal?.userId ?? null, secret: 'never leaves' }),
      'GET /api/mine': (_input, { principal }) => ({ who: principal.userId }),
      'GET /api/network': (_input, { principal }) => ({ who: principal.userId }),
      'GET /api/staff': (_input, { principal }) => ({ who: principal.userId }),
      'GET /api/things/{id}': ({ params }) => ({ id: params.id }),
      'GET /api/things/{id}.csv': ({ params }) => ({ name: 'thing.csv', body: lines(params.id) }),
      'POST /api/things': async ({ body }, { db: transaction }) => {
        const made = await sql<{ id: number }>`insert into things (name) values (${body.name}) returning id`.execute(
          transaction,
        )
        if (body.name === 'refused') throw conflict('It is not the time.')
        return { made: made.rows[0]!.id }
      },
      'POST /api/secrets': async ({ body }) => {
        await sql`insert into things (name) values (${body.name})`.execute(db)
        if (body.name === 'refused') throw conflict('It is not the time.')
        return { secret: `hush ${crypto.randomUUID()}` }
      },
      'POST /api/broken': () => {
        throw new Error('a secret of our insides')
      },
    },
    {
      db,
      area: 'routers',
      complaints: {
        'POST /api/things': ({ name }) =>
          Promise.resolve(name === 'taken' ? [{ field: 'name', message: 'is taken' }] : []),
      },
    },
  )
})

// oxlint-disable-next-line typescript/require-await -- like what comes from a database, batch by batch
async function* lines(id: number): AsyncGenerator<string> {
  yield 'id\r\n'
  yield `${id}\r\n`
}

const csrfOf = async (secret: string): Promise<string> => {
  const answer = await app.inject({ url: '/api/open', cookies: { session: secret } })
  return answer.cookies.find((cookie) => cookie.name === CSRF_COOKIE)!.value
}
const countThings = async (name: string): Promise<number> =>
  Number((await sql<{ n: number }>`select count(*) as n from things where name = ${name}`.execute(db)).rows[0]!.n)

async function make(
  body: object,
  headers: Record<string, string> = {},
  secret = 'customer-secret',
  url = '/api/things',
) {
  const token = await csrfOf(secret)
  return app.inject({
    method: 'POST',
    url,
    payload: body,
    cookies: { session: secret },
    headers: { 'x-csrf-token': token, ...headers },
  })
}

test('a request that drips in is given up after a minute, in its body as in its headers', () => {
  expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([60_000, 60_000])
})

test.each(['/api/open', '/api/mine', '/api/things/1.csv', '/api/no/such/call'])(
  '%s is stored by nobody',
  async (url) => {
    const answer = await app.inject({ url, cookies: { session: 'customer-secret' } })
    expect(answer.headers['cache-control']).toBe('no-store')
  },
)

describe('who may call', () => {
  const calls = ['open', 'mine', 'network', 'staff'] as const
  const expected = {
    '': [200, 401, 401, 401],
    'unknown-secret': [200, 401, 401, 401],
    'unverified-secret': [200, 200, 403, 403],
    'customer-secret': [200, 200, 200, 403],
    'staff-secret': [200, 200, 200, 200],
  }
  for (const [secret, statuses] of Object.entries(expected)) {
    test(`is decided before the handler for ${secret || 'an anonymous caller'}`, async () => {
      const got = []
      for (const call of calls) {
        got.push(
          (await app.inject({ url: `/api/${call}`, ...(secret && { cookies: { session: secret } }) })).statusCode,
        )
      }
      expect(got).toEqual(statuses)
    })
  }

  test('is also decided by what a token was made for', async () => {
    const bearing = async (
      scopes: readonly Scope[],
      method: 'GET' | 'POST',
      url: string,
      secret = 'customer-secret',
    ) => {
      scopesOfTokens = scopes
      const headers = { authorization: `Bearer ${secret}` }
      const payload = method === 'POST' ? { payload: { name: 'by a token', size: 1 } } : {}
      const answer = await app.inject({ method, url, headers, ...payload }).finally(() => (scopesOfTokens = SCOPES))
      return [answer.statusCode, answer.statusCode === 403 ? answer.json().code : null]
    }
    const refused = [403, 'scope']
    expect(await bearing([], 'GET', '/api/mine')).toEqual(refused)
    expect(await bearing(['transit:write', 'staff:write'], 'GET', '/api/mine')).toEqual(refused)
    expect(await bearing(['routers:read'], 'GET', '/api/mine')).toEqual([200, null])
    expect(await bearing(['routers:read'], 'POST', '/api/things')).toEqual(refused)
    expect(await bearing(['routers:write'], 'GET', '/api/mine')).toEqual([200, null])
    expect(await bearing(['routers:write'], 'POST', '/api/things')).toEqual([201, null])
    expect(await bearing(['routers:write'], 'GET', '/api/staff', 'staff-secret')).toEqual(refused)
    expect(await bearing(['staff:read'], 'GET', '/api/staff', 'staff-secret')).toEqual([200, null])
    expect(await bearing([], 'GET', '/api/open')).toEqual([200, null])
  })

  test('names the missing ASN by a code', async () => {
    const answer = await app.inject({ url: '/api/network', cookies: { session: 'unverified-secret' } })
    expect(answer.json()).toMatchObject({ status: 403, code: 'asn_unverified' })
  })
})

describe('CSRF', () => {
  const post = (headers: Record<string, string>, secret = 'customer-secret') =>
    app.inject({
      method: 'POST',
      url: '/api/things',
      payload: { name: 'csrf', size: 1 },
      cookies: { session: secret },
      headers,
    })

  test('refuses an unsafe call without the header, with a wrong one, or with that of another session, and nothing happens', async () => {
    const foreign = await csrfOf('other-secret')
    for (const headers of [{}, { 'x-csrf-token': 'wrong' }, { 'x-csrf-token': foreign }]) {
      expect((await post(headers)).statusCode).toBe(403)
    }
    expect(await countThings('csrf')).toBe(0)
  })

  test('takes the token of the cookie', async () => {
    expect((await post({ 'x-csrf-token': await csrfOf('customer-secret') })).statusCode).toBe(201)
  })

  test('is not asked of a bearer token, whose cookies are ignored', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/things',
      payload: { name: 'bearer', size: 1 },
      cookies: { session: 'other-secret' },
      headers: { authorization: 'Bearer customer-secret' },
    })
    expect(answer.statusCode).toBe(201)
  })

  test('gives an anonymous caller a readable cookie too', async () => {
    const cookie = (await app.inject({ url: '/api/open' })).cookies.find(({ name }) => name === CSRF_COOKIE)
    expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax' })
    expect(cookie).not.toHaveProperty('httpOnly')
  })
})

describe('a body', () => {
  test('that is wrong gets every wrong field at once, unknown ones too', async () => {
    const answer = await make({ name: '', sise: 3 })
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(
      (answer.json() as { errors: { field: string }[] }).errors
        .map((error) => error.field)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['name', 'sise', 'size'])
  })

  test('hears what is wrong with its sound fields together with what does not fit', async () => {
    const answer = await make({ name: 'taken', size: 'large' })
    expect(answer.json()).toMatchObject({
      status: 422,
      errors: [
        { field: 'size', message: 'takes a number' },
        { field: 'name', message: 'is taken' },
      ],
    })
    expect((await make({ name: 'taken' })).json()).toMatchObject({
      errors: [{ field: 'size', message: 'is required' }, { field: 'name' }],
    })
  })

  test.each([
    ['{', 'application/json', 400],
    ['[1]', 'application/json', 400],
    ['name=x', 'text/html', 415],
    [JSON.stringify({ name: 'x'.repeat(300_000), size: 1 }), 'application/json', 413],
  ])('that cannot be read is refused: %.12s as %s', async (payload, type, status) => {
    const token = await csrfOf('customer-secret')
    const answer = await app.inject({
      method: 'POST',
      url: '/api/things',
      payload,
      headers: { 'content-type': type, 'x-csrf-token': token },
      cookies: { session: 'customer-secret' },
    })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ status })
  })

  test('never answers what the contract does not list', async () => {
    expect((await app.inject({ url: '/api/open' })).json()).toEqual({ who: null })
  })
})

describe('a file', () => {
  test('leaves with its name and type, while it is made', async () => {
    const answer = await app.inject({ url: '/api/things/7.csv', cookies: { session: 'customer-secret' } })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="thing.csv"',
    })
    expect(answer.body).toBe('id\r\n7\r\n')
  })

  test('is behind the same border as any other call', async () => {
    expect((await app.inject({ url: '/api/things/7.csv' })).statusCode).toBe(401)
    expect((await app.inject({ url: '/api/things/x.csv', cookies: { session: 'customer-secret' } })).statusCode).toBe(
      404,
    )
  })
})

describe('every answer', () => {
  test('carries the release, also a refusal and a path that is nothing', async () => {
    for (const url of ['/api/open', '/api/mine', '/api/nothing']) {
      expect((await app.inject({ url })).headers['x-release-version']).toBe('r42')
    }
  })

  test('of a fault of ours tells the request and nothing of our insides', async () => {
    const answer = await app.inject({ method: 'POST', url: '/api/broken', payload: {} })
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('insides')
    expect(answer.body).toContain(answer.headers['x-request-id'])
  })

  test('for an id that is no number is the answer for an absent thing', async () => {
    for (const id of ['abc', '-1', '1.5', '0'])
      expect((await app.inject({ url: `/api/things/${id}` })).statusCode).toBe(404)
  })
})

describe('Idempotency-Key', () => {
  test('answers twenty repeats at once with what the first did, once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => make({ name: 'once', size: 1 }, { 'idempotency-key': 'k-once' })),
    )
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers[0]!.statusCode).toBe(201)
    expect(await countThings('once')).toBe(1)
  })

  test('refuses another body under the same key', async () => {
    await make({ name: 'first', size: 1 }, { 'idempotency-key': 'k-body' })
    const answer = await make({ name: 'second', size: 1 }, { 'idempotency-key': 'k-body' })
    expect(answer.statusCode).toBe(422)
    expect(await countThings('second')).toBe(0)
  })

  test('belongs to its caller alone', async () => {
    await make({ name: 'shared', size: 1 }, { 'idempotency-key': 'k-shared' })
    expect(
      (await make({ name: 'shared', size: 1 }, { 'idempotency-key': 'k-shared' }, 'other-secret')).statusCode,
    ).toBe(201)
    expect(await countThings('shared')).toBe(2)
  })

  test('of a refused request may be used again, and what it did is rolled back', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await make({ name: 'refused', size: 1 }, { 'idempotency-key': 'k-refused' })).statusCode).toBe(409)
    }
    expect(await countThings('refused')).toBe(0)
  })
})

describe('Idempotency-Key of a call that opens its transactions itself', () => {
  const hush = (name: string, key: string) =>
    make({ name }, { 'idempotency-key': key }, 'customer-secret', '/api/secrets')

  test('answers repeats, also at once, with what the first did, once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => hush('hushed', 'own-once')))
    answers.push(await hush('hushed', 'own-once'))
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers[0]!.statusCode).toBe(201)
    expect(await countThings('hushed')).toBe(1)
  })

  test('refuses another body, and frees the key of what it refused', async () => {
    await hush('first hush', 'own-body')
    expect((await hush('second hush', 'own-body')).statusCode).toBe(422)
    expect(await countThings('second hush')).toBe(0)
    expect((await hush('refused', 'own-refused')).statusCode).toBe(409)
    expect((await hush('not refused', 'own-refused')).statusCode).toBe(201)
  })

  test('does not leave the secret in the database', async () => {
    await hush('sealed', 'own-sealed')
    const { rows } = await sql<{
      answer: string
    }>`select answer::text from idempotency_keys where key = 'own-sealed'`.execute(db)
    expect(rows[0]!.answer).not.toContain('hush')
  })

  test('is free again once whoever claimed it is gone', async () => {
    await hush('interrupted', 'own-interrupted')
    await sql`update idempotency_keys set status = null, created_at = now() - interval '3 minutes' where key = 'own-interrupted'`.execute(
      db,
    )
    expect((await hush('interrupted', 'own-interrupted')).statusCode).toBe(201)
    expect(await countThings('interrupted')).toBe(2)
  })
})

describe('what cannot be read', () => {
  test('as an address is a problem with the headers of every answer', async () => {
    const answer = await app.inject({ url: '/api/%ff' })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers).toMatchObject({ 'x-release-version': 'r42', 'x-content-type-options': 'nosniff' })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
  })

  test('as JSON says so; a type without a body is no body; a body that is no JSON is 415', async () => {
    const send = (payload: string, type: string) =>
      app.inject({ method: 'POST', url: '/api/broken', payload, headers: { 'content-type': type } })
    expect((await send('{', 'application/json')).json()).toMatchObject({ status: 400, detail: 'The body is not JSON.' })
    expect((await send('', 'application/json')).json()).toMatchObject({
      status: 400,
      detail: 'The body must be a JSON object.',
    })
    expect((await send('{}', 'text/plain')).statusCode).toBe(415)
  })
})

describe('the OpenAPI document', () => {
  test('names every call with its access, shapes and refusals', () => {
    const document = openApiDocument([{ area: 'routers', api }], { title: 'Longhaul', version: '1' }) as {
      paths: Record<string, Record<string, { 'x-access': string; responses: object; operationId: string }>>
    }
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations).toHaveLength(Object.keys(api).length)
    expect(document.paths['/api/things']!['post']).toMatchObject({ 'x-access': 'session', operationId: 'postThings' })
    expect(document.paths['/api/things/{id}.csv']!['get']).toMatchObject({
      operationId: 'getThingsByIdCsv',
      responses: { 200: { content: { 'text/csv; charset=utf-8': { schema: { format: 'binary' } } } } },
    })
    expect(Object.keys(document.paths['/api/things']!['post']!.responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ])
  })
})
