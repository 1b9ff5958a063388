import { idsOf, accountIdOf } from '../db/testing.ts'
import net, { type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createChangeBus } from '../events.ts'
import { createLog } from '../log.ts'
import type { Authenticate, AuthenticateOpened, Principal } from './principal.ts'
import { createHttp } from './server.ts'
import { mountEvents } from './sse.ts'

const log = createLog('silent')
const bus = createChangeBus(log)
const ended = new Set<string>()
const SUSPENDED_STAFF = 8
const suspendedSince = new Set<number>()
function principalOf(secret: string, via: Principal['via']): Principal | null {
  const userId = Number(secret)
  if (!userId || ended.has(secret)) return null
  const isAdmin = userId === 9 || userId === SUSPENDED_STAFF
  return {
    ...idsOf(userId),
    email: '',
    isAdmin,
    roles: isAdmin ? ['owner'] : [],
    asnVerifiedAt: null,
    via,
    ...(via === 'token' ? { sessionId: null, tokenId: userId } : { sessionId: userId }),
    scopes: null,
    isSuspended: userId === SUSPENDED_STAFF || suspendedSince.has(userId),
  }
}
const authenticate: Authenticate = ({ sessionToken, bearer }) =>
  Promise.resolve(bearer ? principalOf(bearer, 'token') : principalOf(sessionToken ?? '', 'session'))
let checks = 0
const authenticateOpened: AuthenticateOpened = (opened) => {
  checks += 1
  return Promise.resolve(
    opened.map(({ sessionId, tokenId }) =>
      tokenId === null ? principalOf(String(sessionId), 'session') : principalOf(String(tokenId), 'token'),
    ),
  )
}

const { app } = await createHttp({
  config: { RELEASE: 'test', TRUSTED_PROXIES: [] },
  log,
  secretKey: 'k'.repeat(32),
  secure: false,
  authenticate,
})
let base = ''
beforeAll(async () => {
  mountEvents(app, { bus, log, authenticateOpened, heartbeatMs: 30 })
  base = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Every stream receives a notice: once it arrives, all earlier events have arrived too. */
let lasts = 0

/** Collects the events of a user's stream by type until it is ended. */
async function onMessage(userId: number, query = '') {
  const stop = new AbortController()
  const answer = await fetch(`${base}/api/events${query}`, {
    headers: { cookie: `session=${userId}` },
    signal: stop.signal,
  })
  let text = ''
  const reading = (async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk
  })().catch(() => undefined)
  while (!text.includes('event: hello')) await sleep(5)
  return {
    answer,
    async end() {
      const last = `{"type":"notice","id":${++lasts}}`
      bus.receive(last.replace('}', ',"accountId":null}'))
      while (!text.includes(last)) await sleep(5)
      stop.abort()
      await reading
      const received = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => `${event} ${data}`)
      return received.slice(1).filter((said) => !/"notice"|^heartbeat /.test(said))
    },
  }
}

describe('the event stream', () => {
  test('is for people who are signed in', async () => {
    expect((await fetch(`${base}/api/events`)).status).toBe(401)
  })

  test('is described to HEAD without being opened', async () => {
    const head = await fetch(`${base}/api/events`, { method: 'HEAD', headers: { cookie: 'session=1' } })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toContain('text/event-stream')
    expect((await fetch(`${base}/api/events`, { method: 'HEAD' })).status).toBe(401)
  })

  test("tells a customer of what is theirs, and staff of everything; of another's thing not even that it changed", async () => {
    const [customer, staff] = [await onMessage(1), await onMessage(9)]
    expect(customer.answer.headers.get('content-type')).toContain('text/event-stream')
    bus.receive(JSON.stringify({ type: 'router', id: 5, accountId: accountIdOf(1) }))
    bus.receive(JSON.stringify({ type: 'prefix', id: 6, accountId: accountIdOf(2) }))
    bus.receive(JSON.stringify({ type: 'hypervisor', id: 7, accountId: null }))
    expect(await customer.end()).toEqual(['news {"type":"router","id":5}'])
    expect(await staff.end()).toEqual([
      'news {"type":"router","id":5}',
      'news {"type":"prefix","id":6}',
      'news {"type":"hypervisor","id":7}',
    ])
  })

  test('begins with what changed for the caller since the page was opened, each thing once', async () => {
    bus.receive(JSON.stringify({ type: 'router', id: 50, accountId: accountIdOf(1) }))
    await sleep(2_000)
    const opened = performance.now()
    for (const id of [51, 52, 51]) bus.receive(JSON.stringify({ type: 'router', id, accountId: accountIdOf(1) }))
    bus.receive(JSON.stringify({ type: 'prefix', id: 53, accountId: accountIdOf(2) }))
    const stream = await onMessage(1, `?age=${performance.now() - opened + 1_500}`)
    expect(await stream.end()).toEqual(['news {"type":"router","id":52}', 'news {"type":"router","id":51}'])
    for (const query of ['', '?age=0', '?age=-5', '?age=x']) {
      expect(await (await onMessage(1, query)).end()).toEqual([])
    }
  })

  test('has everything read again when more changed than is kept', async () => {
    for (let id = 1; id <= 1_001; id += 1)
      bus.receive(JSON.stringify({ type: 'router', id: 1_000 + id, accountId: accountIdOf(2) }))
    expect(await (await onMessage(1, '?age=60000')).end()).toEqual(['resync {}'])
    expect(await (await onMessage(1, '?age=0')).end()).toEqual([])
  })

  test('tells suspended staff of what is theirs alone', async () => {
    const stream = await onMessage(SUSPENDED_STAFF)
    bus.receive(JSON.stringify({ type: 'prefix', id: 6, accountId: accountIdOf(2) }))
    bus.receive(JSON.stringify({ type: 'router', id: 5, accountId: accountIdOf(SUSPENDED_STAFF) }))
    expect(await stream.end()).toEqual(['news {"type":"router","id":5}'])
  })

  test('ends when its staff are suspended, also under a token', async () => {
    const answer = await fetch(`${base}/api/events`, { headers: { authorization: 'Bearer 9' } })
    suspendedSince.add(9)
    bus.receive(JSON.stringify({ type: 'user', id: 9, accountId: accountIdOf(9) }))
    expect(await answer.text()).toContain('event: hello')
    suspendedSince.delete(9)
  })

  test('gives a sign of life that a browser can hear, which a comment is not', async () => {
    const stop = new AbortController()
    const answer = await fetch(`${base}/api/events`, { headers: { cookie: 'session=1' }, signal: stop.signal })
    let text = ''
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if ((text.match(/^event: heartbeat$/gm) ?? []).length === 2) break
    }
    stop.abort()
    expect(text).toContain('event: heartbeat')
  })

  const CALLERS = [
    ['a session', { cookie: 'session=3' }, '3'],
    ['a token', { authorization: 'Bearer 4' }, '4'],
  ] as const

  test.each(CALLERS)('ends at once when %s is said to have ended', async (_, headers, secret) => {
    const answer = await fetch(`${base}/api/events`, { headers })
    const received = answer.text()
    bus.receive(JSON.stringify({ type: 'user', id: Number(secret), accountId: accountIdOf(Number(secret)) }))
    await sleep(100)
    expect(await Promise.race([received, Promise.resolve('still open')])).toBe('still open')
    ended.add(secret)
    const before = performance.now()
    bus.receive(JSON.stringify({ type: 'user', id: Number(secret), accountId: accountIdOf(Number(secret)) }))
    await received
    ended.delete(secret)
    expect(performance.now() - before).toBeLessThan(3_000)
  })

  test.each(CALLERS)(
    'ends within 5 s when %s has ended and no event said so',
    async (_, headers, secret) => {
      const answer = await fetch(`${base}/api/events`, { headers })
      ended.add(secret)
      const before = performance.now()
      expect(await answer.text()).toContain('event: hello')
      expect(performance.now() - before).toBeLessThan(5_000)
    },
    30_000,
  )

  test('asks about all open streams together', async () => {
    const open = await Promise.all([11, 12, 13, 14, 15].map((userId) => onMessage(userId)))
    checks = 0
    bus.resync()
    expect(checks).toBe(1)
    await Promise.all(open.map((stream) => stream.end()))
  })

  test('is cut off where a session has ended whose browser reads nothing, and what is new then harms no one', async () => {
    const { port, hostname } = new URL(base)
    const browser = net.connect(Number(port), hostname).pause()
    // Matched by port: another connection may be accepted first.
    const socket = await new Promise<Socket>((resolve) =>
      app.server.on('connection', function take(accepted: Socket) {
        if (accepted.remotePort !== browser.localPort) return
        app.server.off('connection', take)
        resolve(accepted)
      }),
    )
    browser.write('GET /api/events HTTP/1.1\r\nhost: portal\r\ncookie: session=7\r\n\r\n')
    const changeEvent = JSON.stringify({ type: 'router', id: 5, accountId: accountIdOf(7) })
    // More than the system buffers for a browser that reads nothing; it accepts part of it late.
    const isFull = async () => {
      await sleep(socket.writableLength < 100_000 ? 5 : 60)
      return socket.writableLength >= 100_000
    }
    while (!(await isFull())) {
      for (let said = 0; said < 1_000; said++) bus.receive(changeEvent)
    }
    ended.add('7')
    bus.receive(JSON.stringify({ type: 'user', id: 7, accountId: accountIdOf(7) }))
    while (!socket.destroyed) {
      bus.receive(changeEvent)
      await sleep(5)
    }
    browser.destroy()
  }, 60_000)

  test('is there fifty times for one person and no more, until one of theirs is closed', async () => {
    const open = await Promise.all(Array.from({ length: 50 }, () => onMessage(5)))
    const again = () => fetch(`${base}/api/events`, { headers: { cookie: 'session=5' } })
    const refused = await again()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await (await onMessage(6)).end()
    await open[0]!.end()
    await expect.poll(async () => (await again()).status).toBe(200)
    await Promise.all(open.slice(1).map((stream) => stream.end()))
  })

  test('says when news may have been missed', async () => {
    const customer = await onMessage(1)
    bus.resync()
    expect(await customer.end()).toEqual(['resync {}'])
  })

  test('survives news that cannot be read', async () => {
    const customer = await onMessage(1)
    bus.receive('{')
    bus.receive('{"type":5}')
    bus.receive(JSON.stringify({ type: 'router', id: 5, accountId: accountIdOf(1) }))
    expect(await customer.end()).toHaveLength(1)
  })
})
