import net, { type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNewsBus } from '../events.ts'
import { createLog } from '../log.ts'
import type { Authenticate } from './principal.ts'
import { createHttp } from './server.ts'
import { mountEvents } from './sse.ts'

const log = createLog('silent')
const bus = createNewsBus(log)
const ended = new Set<string>()
const authenticate: Authenticate = ({ sessionToken, bearer }) => {
  const secret = sessionToken ?? bearer ?? ''
  const userId = Number(secret)
  if (!userId || ended.has(secret)) return Promise.resolve(null)
  const isAdmin = userId === 9
  return Promise.resolve({
    userId,
    email: '',
    isAdmin,
    roles: isAdmin ? ['owner'] : [],
    asnVerifiedAt: null,
    via: bearer ? 'token' : 'session',
    sessionId: bearer ? null : userId,
    scopes: null,
  })
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
  mountEvents(app, { bus, heartbeatMs: 30 })
  base = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Everybody hears a notice: once it is there, so is all that was said before it. */
let lasts = 0

/** What somebody's stream says until it is ended: the news in it, by type. */
async function hear(userId: number) {
  const stop = new AbortController()
  const answer = await fetch(`${base}/api/events`, { headers: { cookie: `session=${userId}` }, signal: stop.signal })
  let text = ''
  const reading = (async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk
  })().catch(() => undefined)
  while (!text.includes('event: hello')) await sleep(5)
  return {
    answer,
    async end() {
      const last = `{"type":"notice","id":${++lasts}}`
      bus.receive(last.replace('}', ',"userId":null}'))
      while (!text.includes(last)) await sleep(5)
      stop.abort()
      await reading
      const heard = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => `${event} ${data}`)
      return heard.slice(1).filter((said) => !said.includes('"notice"'))
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
    const [customer, staff] = [await hear(1), await hear(9)]
    expect(customer.answer.headers.get('content-type')).toContain('text/event-stream')
    bus.receive(JSON.stringify({ type: 'router', id: 5, userId: 1 }))
    bus.receive(JSON.stringify({ type: 'prefix', id: 6, userId: 2 }))
    bus.receive(JSON.stringify({ type: 'hypervisor', id: 7, userId: null }))
    expect(await customer.end()).toEqual(['news {"type":"router","id":5}'])
    expect(await staff.end()).toEqual([
      'news {"type":"router","id":5}',
      'news {"type":"prefix","id":6}',
      'news {"type":"hypervisor","id":7}',
    ])
  })

  test.each([
    ['a session', { cookie: 'session=3' }, '3'],
    ['a token', { authorization: 'Bearer 4' }, '4'],
  ])('ends within a beat for %s that has ended', async (_, headers, secret) => {
    const answer = await fetch(`${base}/api/events`, { headers })
    const heard = answer.text()
    await sleep(100)
    expect(await Promise.race([heard, Promise.resolve('still open')])).toBe('still open')
    ended.add(secret)
    expect(await heard).toContain('still here')
  })

  test('is cut off where a session has ended whose browser reads nothing, and what is new then harms nobody', async () => {
    const connected = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
    const { port, hostname } = new URL(base)
    const browser = net.connect(Number(port), hostname).pause()
    browser.write('GET /api/events HTTP/1.1\r\nhost: portal\r\ncookie: session=7\r\n\r\n')
    const socket = await connected
    const news = JSON.stringify({ type: 'router', id: 5, userId: 7 })
    // More than the system takes for a browser that reads nothing: it takes some of it late.
    const isFull = async () => {
      await sleep(socket.writableLength < 100_000 ? 5 : 60)
      return socket.writableLength >= 100_000
    }
    while (!(await isFull())) {
      for (let said = 0; said < 1_000; said++) bus.receive(news)
    }
    ended.add('7')
    while (!socket.destroyed) {
      bus.receive(news)
      await sleep(5)
    }
    browser.destroy()
  })

  test('is there fifty times for one person and no more, until one of theirs is closed', async () => {
    const open = await Promise.all(Array.from({ length: 50 }, () => hear(5)))
    const again = () => fetch(`${base}/api/events`, { headers: { cookie: 'session=5' } })
    const refused = await again()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await (await hear(6)).end()
    await open[0]!.end()
    await expect.poll(async () => (await again()).status).toBe(200)
    await Promise.all(open.slice(1).map((stream) => stream.end()))
  })

  test('says when news may have been missed', async () => {
    const customer = await hear(1)
    bus.resync()
    expect(await customer.end()).toEqual(['resync {}'])
  })

  test('survives news that cannot be read', async () => {
    const customer = await hear(1)
    bus.receive('{')
    bus.receive('{"type":5}')
    bus.receive(JSON.stringify({ type: 'router', id: 5, userId: 1 }))
    expect(await customer.end()).toHaveLength(1)
  })
})
