import { describe, expect, test, vi } from 'vitest'
import { HttpFailure } from './http-failure.ts'
import { createTransport, csrfToken } from './transport.ts'

interface Sent {
  readonly target: string
  readonly init: RequestInit
}

function transportTo(answer: (sent: Sent) => Response | Promise<Response>, cookies = 'a=1; CSRF-TOKEN=to%2Bken; b=2') {
  const sent: Sent[] = []
  const failures: HttpFailure[] = []
  const transport = createTransport({
    fetch: async (input, init = {}) => {
      const one = { target: typeof input === 'string' ? input : '', init }
      sent.push(one)
      return answer(one)
    },
    cookies: () => cookies,
    onFailure: (failure) => failures.push(failure),
  })
  return { transport, sent, failures, header: (name: string) => new Headers(sent[0]?.init.headers).get(name) }
}

const problem = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json', ...headers } })

describe('an API call', () => {
  test('carries the CSRF token when it changes something, and only then', async () => {
    const unsafe = transportTo(() => new Response(null, { status: 204 }))
    await unsafe.transport.send({ method: 'DELETE', target: '/api/session' })
    expect(unsafe.header('x-csrf-token')).toBe('to+ken')

    const safe = transportTo(() => Response.json([]))
    await safe.transport.send({ method: 'GET', target: '/api/sessions' })
    expect(safe.header('x-csrf-token')).toBeNull()
  })

  test('a call without the cookie goes out without the token, for the server to refuse', async () => {
    const { transport, header } = transportTo(() => new Response(null, { status: 204 }), '')
    await transport.send({ method: 'POST', target: '/api/session', body: {} })
    expect(header('x-csrf-token')).toBeNull()
  })

  test('waits as long as it takes: it has no deadline of its own', async () => {
    vi.useFakeTimers()
    try {
      const answer = Promise.withResolvers<Response>()
      const { transport, sent, failures } = transportTo(() => answer.promise)
      const waiting = transport.send({ method: 'GET', target: '/api/user' })
      await vi.advanceTimersByTimeAsync(24 * 3_600_000)
      expect(sent[0]?.init.signal?.aborted).not.toBe(true)
      answer.resolve(Response.json({ id: 1 }))
      expect(await waiting).toEqual({ id: 1 })
      expect(failures).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('sends its idempotency key', async () => {
    const { transport, header } = transportTo(() => Response.json({}, { status: 202 }))
    await transport.send({ method: 'POST', target: '/api/virtual_machines', body: {}, idempotencyKey: 'k1' })
    expect(header('idempotency-key')).toBe('k1')
  })

  test.each([202, 204])('answers nothing for %i without a body', async (status) => {
    const { transport } = transportTo(() => new Response(null, { status }))
    expect(await transport.send({ method: 'POST', target: '/api/users', body: {} })).toBeUndefined()
  })

  test('shows every answer to the observers, refusals too', async () => {
    const { transport } = transportTo(() => problem(403, {}, { 'profiler-ids': 'a,b' }))
    const seen: unknown[] = []
    const stop = transport.observeResponses((response, request) =>
      seen.push([response.headers.get('profiler-ids'), request.target]),
    )
    await transport.send({ method: 'GET', target: '/api/user' }).catch(() => undefined)
    stop()
    await transport.send({ method: 'GET', target: '/api/user' }).catch(() => undefined)
    expect(seen).toEqual([['a,b', '/api/user']])
  })
})

describe('a call that fails', () => {
  test('rejects with the problem of the server and is told of once', async () => {
    const body = {
      title: 'Unprocessable Content',
      status: 422,
      errors: [{ field: 'name', message: 'is taken' }, 'nonsense', { field: 3 }],
    }
    const { transport, failures } = transportTo(() => problem(422, body))
    const call = transport.send({ method: 'POST', target: '/api/virtual_machines', body: {} })
    await expect(call).rejects.toMatchObject({
      status: 422,
      problem: { errors: [{ field: 'name', message: 'is taken' }] },
    })
    expect(failures.map(({ status }) => status)).toEqual([422])
  })

  test('is not told of when the caller shows it itself', async () => {
    const { transport, failures } = transportTo(() => problem(401, {}))
    await expect(transport.send({ method: 'GET', target: '/api/user', notify: false })).rejects.toBeInstanceOf(
      HttpFailure,
    )
    expect(failures).toEqual([])
  })

  test('survives a proxy that answers HTML in place of the server', async () => {
    const { transport } = transportTo(
      () => new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
    )
    await expect(transport.send({ method: 'GET', target: '/api/user' })).rejects.toMatchObject({
      status: 502,
      problem: { detail: null },
    })
  })

  test('keeps how long to wait', async () => {
    const { transport } = transportTo(() => problem(429, { detail: 'Too many tries.' }, { 'retry-after': '30' }))
    await expect(transport.send({ method: 'GET', target: '/api/user' })).rejects.toMatchObject({ retryAfter: 30 })
  })

  test('a call without any answer has no status', async () => {
    const { transport, failures } = transportTo(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(transport.send({ method: 'GET', target: '/api/user' })).rejects.toMatchObject({ status: null })
    expect(failures).toHaveLength(1)
  })

  test('a call without an answer is sent again when it only reads', async () => {
    let sent = 0
    const { transport, failures } = transportTo(() => {
      sent += 1
      return sent === 1 ? Promise.reject(new TypeError('Failed to fetch')) : Response.json({ id: 1 })
    })
    expect(await transport.send({ method: 'GET', target: '/api/user' })).toEqual({ id: 1 })
    expect([sent, failures]).toEqual([2, []])
    const refused = transportTo(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(refused.transport.send({ method: 'POST', target: '/api/x' })).rejects.toMatchObject({ status: null })
    expect(refused.sent).toHaveLength(1)
    expect(refused.failures[0]?.operation).toBe('POST /api/x')
  })

  test('a call that breaks off in the middle of its answer counts as unanswered', async () => {
    const broken = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) }))
    const { transport, failures } = transportTo(broken)
    await expect(transport.send({ method: 'GET', target: '/api/user' })).rejects.toMatchObject({ status: null })
    expect(failures).toHaveLength(1)
  })

  test('a call that gets a page of another server instead of an answer is reported too', async () => {
    const { transport, failures } = transportTo(() => new Response('<h1>Pay for the hotel’s network</h1>'))
    await expect(transport.send({ method: 'GET', target: '/api/user' })).rejects.toBeInstanceOf(HttpFailure)
    expect(failures.map(({ status }) => status)).toEqual([200])
  })

  test('because it was canceled rejects with the cancellation and is no one’s news', async () => {
    const { transport, failures } = transportTo(() => Promise.reject(new DOMException('aborted', 'AbortError')))
    await expect(transport.send({ method: 'GET', target: '/api/user' })).rejects.toMatchObject({ name: 'AbortError' })
    expect(failures).toEqual([])
  })
})

test('the CSRF token is found among other cookies and not inside another name', () => {
  expect(csrfToken('X-CSRF-TOKEN=no; CSRF-TOKEN=yes')).toBe('yes')
  expect(csrfToken('NOT-CSRF-TOKEN=no')).toBeNull()
  expect(csrfToken('')).toBeNull()
})
