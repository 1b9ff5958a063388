import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'
import { api, createHttpTestApp } from './testing.ts'

const { app, make, csrfOf } = await createHttpTestApp()
afterAll(() => app.close())

test('a request that drips in is given up after a minute, in its body as in its headers', () => {
  expect([app.server.requestTimeout, app.server.headersTimeout]).toEqual([60_000, 60_000])
  // Node ends such a request at its first check after the minute.
  const { connectionsCheckingInterval } = app.server as unknown as { connectionsCheckingInterval: number }
  expect(connectionsCheckingInterval).toBeLessThanOrEqual(5_000)
})

test('a request that names two hosts is refused, whichever is first', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /api/open HTTP/1.1\r\nHost: portal.example\r\nhost: evil.example\r\nConnection: close\r\n\r\n')
    })
    let said = ''
    socket.on('data', (data) => (said += data.toString()))
    socket.on('end', () => resolve(said))
    socket.on('error', reject)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect((await fetch(`http://127.0.0.1:${port}/api/open`)).status).toBe(200)
})

test('pages connect to their own origin and to Stripe, and nowhere else', async () => {
  const policy = String((await app.inject('/api/open')).headers['content-security-policy'])
  expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' https://api.stripe.com")
})

test.each(['/api/open', '/api/mine', '/api/things/1.csv', '/api/no/such/call'])(
  '%s is stored by no one',
  async (url) => {
    const answer = await app.inject({ url, cookies: { session: 'customer-secret' } })
    expect(answer.headers['cache-control']).toBe('no-store')
  },
)

test('TRACE is no method here', async () => {
  const answer = await app.inject({ method: 'TRACE', url: '/api/open', headers: { cookie: 'session=secret' } })
  expect([400, 404]).toContain(answer.statusCode)
  expect(answer.body).not.toContain('session=secret')
})

test('a parameter that comes twice is refused where one is taken', async () => {
  expect((await app.inject({ url: '/api/found?name=a' })).statusCode).toBe(200)
  expect((await app.inject({ url: '/api/found?name=a&name=b' })).statusCode).toBe(422)
})

test.each(['{"__proto__":{"size":1},"name":"a"}', '{"constructor":{"prototype":{"size":1}},"name":"a","size":1}'])(
  'a body that names the prototype of objects is refused: %s',
  async (payload) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/things',
      payload,
      headers: { 'content-type': 'application/json', 'x-csrf-token': await csrfOf('customer-secret') },
      cookies: { session: 'customer-secret' },
    })
    expect([400, 422]).toContain(answer.statusCode)
    expect(({} as { size?: number }).size).toBeUndefined()
  },
)

describe('a body', () => {
  test('a body that is wrong gets every wrong field at once, unknown ones too', async () => {
    const answer = await make({ name: '', sise: 3 })
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(
      (answer.json() as { errors: { field: string }[] }).errors
        .map((error) => error.field)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['name', 'sise', 'size'])
  })

  test('learns what is wrong with its sound fields together with what does not fit', async () => {
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
  ])('a body that cannot be read is refused: %.12s as %s', async (payload, type, status) => {
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

  test.each(['a\0', '\ud800', 'a\udc00b'])(
    'whose text no database keeps is wrong in that field, beside what else is wrong: %j',
    async (name) => {
      expect((await make({ name, size: 1 })).json()).toMatchObject({
        status: 422,
        errors: [{ field: 'name', message: 'holds a character that is none' }],
      })
      expect((await make({ name, size: 'large' })).json()).toMatchObject({
        errors: [{ field: 'size' }, { field: 'name' }],
      })
      expect(
        (await app.inject({ url: `/api/found?name=${encodeURIComponent(name.replaceAll(/[^a]/gu, '\0'))}` }))
          .statusCode,
      ).toBe(422)
    },
  )

  test('may hold any character that is one', async () => {
    expect((await make({ name: 'né 🐦 \u{10ffff}\ufffd', size: 1 })).statusCode).toBe(201)
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

  test('is behind the same checks as any other call', async () => {
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

  test('the answer of a fault of ours tells the request and nothing of our insides', async () => {
    const answer = await app.inject({ method: 'POST', url: '/api/broken', payload: {} })
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('insides')
    expect(answer.body).toContain(answer.headers['x-request-id'])
  })

  test.each(['abc', '-1', '1.5', '0', '01', '+1', '0x1', '1e0', '1.0', '%201', '1%20', '2147483648', '1%00'])(
    'for the id %s, which is no number as numbers are written, is the answer for an absent thing',
    async (id) => {
      expect((await app.inject({ url: '/api/things/1' })).statusCode).toBe(200)
      expect((await app.inject({ url: `/api/things/${id}` })).statusCode).toBe(404)
    },
  )
})

describe('a number in a query', () => {
  test.each([
    ['', 50],
    ['&limit=7', 7],
    ['&limit=200', 200],
  ])('is read where it is written as numbers are: %j', async (limit, read) => {
    expect((await app.inject({ url: `/api/found?name=x${limit}` })).json()).toEqual({ name: 'x', limit: read })
  })

  test.each([
    ['0', 'is at least 1'],
    ['201', 'is at most 200'],
    ['-1', 'is at least 1'],
    ['1.5', 'takes a whole number'],
    ['0x7', 'takes a number'],
    ['07', 'takes a number'],
    ['', 'takes a number'],
    ['many', 'takes a number'],
  ])('is refused in words otherwise: %j', async (limit, message) => {
    const answer = await app.inject({ url: `/api/found?name=x&limit=${limit}` })
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ field: 'limit', message }] })
  })
})

describe('no body', () => {
  const sendNothing = async (url: string, headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url,
      headers: { ...headers, 'x-csrf-token': await csrfOf('customer-secret') },
      cookies: { session: 'customer-secret' },
    })

  test.each([{}, { 'content-type': 'application/json' }])(
    'is malformed where something is asked for: %j',
    async (headers) => {
      expect((await sendNothing('/api/things', headers)).json()).toMatchObject({
        status: 400,
        detail: 'The body must be a JSON object.',
      })
    },
  )

  test.each([{}, { 'content-type': 'application/json' }])(
    'is as good as an empty one where nothing has to be said: %j',
    async (headers) => {
      expect((await sendNothing('/api/remarks', headers)).json()).toEqual({ remark: 'none' })
    },
  )
})

describe('what cannot be read', () => {
  const send = (payload: string | Buffer, type: string) =>
    app.inject({ method: 'POST', url: '/api/broken', payload, headers: { 'content-type': type } })

  test('what cannot be read as an address is a problem with the headers of every answer', async () => {
    const answer = await app.inject({ url: '/api/%ff' })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers).toMatchObject({ 'x-release-version': 'r42', 'x-content-type-options': 'nosniff' })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
  })

  test('what cannot be read as JSON says so; a body that is no JSON is 415', async () => {
    expect((await send('{', 'application/json')).json()).toMatchObject({ status: 400, detail: 'The body is not JSON.' })
    expect((await send('{}', 'text/plain')).statusCode).toBe(415)
  })

  test('what cannot be read as UTF-8 is malformed, and not kept with its letters replaced', async () => {
    const latin1 = Buffer.from('{"name":"Zürich"}', 'latin1')
    expect((await send(latin1, 'application/json')).json()).toMatchObject({
      status: 400,
      detail: 'The body is not UTF-8.',
    })
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
