import { accountIdOf } from '../../platform/db/testing.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { manualClock } from '../../kernel/clock.ts'
import { createRoutersTestApp } from '../testing.ts'
import { consolesEndWithTheirAccess } from './testing.ts'

const clock = manualClock(new Date())
const testApp = await createRoutersTestApp({ clock })
const owner = await testApp.addUser()
const other = await testApp.addUser()
let port = 0
beforeAll(async () => {
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  port = (testApp.app.server.address() as { port: number }).port
})
afterAll(() => testApp.app.close())
let orders = 0

async function running() {
  const router = await testApp.order(owner.id, { name: `console-${++orders}` })
  await testApp.settle(router.id)
  return router
}
/** Returns the path of a fresh ticket. */
async function ticket(routerId: number, kind = 'serial'): Promise<string> {
  const { status, body } = await owner.call('POST', `/api/virtual_machines/${routerId}/${kind}`, {})
  expect(status).toBe(201)
  const url = new URL(body.url)
  expect(url.protocol).toBe('ws:')
  return `${url.pathname}${url.search}`
}

interface Opened {
  /** 101 when it opened. */
  status: number
  socket: WebSocket
  text: () => string
  closed: Promise<number>
}

function open(
  path: string,
  {
    token = owner.token,
    origin = `http://127.0.0.1:${port}`,
    host,
  }: { token?: string | null; origin?: string | null; host?: string } = {},
): Promise<Opened> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    headers: {
      ...(token !== null && { cookie: `session=${token}` }),
      ...(origin !== null && { origin }),
      ...(host && { host }),
    },
  })
  const chunks: Buffer[] = []
  socket.on('message', (data: Buffer) => chunks.push(data))
  const text = () => Buffer.concat(chunks).toString()
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return new Promise((resolve) => {
    socket.once('open', () => resolve({ status: 101, socket, text, closed }))
    socket.once('unexpected-response', (request, response) => {
      resolve({ status: response.statusCode ?? 0, socket, text, closed })
      request.destroy()
    })
    socket.on('error', () => undefined)
  })
}

describe('a serial console', () => {
  it('carries what is typed and what is answered, also when it is typed before the stream stands', async () => {
    const router = await running()
    const { socket, status, text } = await open(await ticket(router.id))
    expect(status).toBe(101)
    socket.send('hostname\r')
    await expect.poll(text, { timeout: 5_000 }).toContain(router.name)
    socket.close()
  })

  it('waits for a machine that is only being made, and shows its first messages', async () => {
    const router = await testApp.order(owner.id, { name: `console-${++orders}` })
    const { socket, status, text } = await open(await ticket(router.id))
    expect(status).toBe(101)
    await sleep(300)
    expect(text()).toBe('')
    await testApp.settle(router.id)
    socket.send('hostname\r')
    await expect.poll(text, { timeout: 5_000 }).toContain(router.name)
    socket.close()
  })

  it('ends for a browser that sends too much at once, also before the machine is there', async () => {
    const router = await testApp.order(owner.id, { name: `console-${++orders}` })
    const { socket, closed } = await open(await ticket(router.id))
    socket.send(Buffer.alloc(65 * 1024))
    expect(await closed).toBe(1009)
    expect((await open(await ticket(router.id))).status).toBe(101)
  })

  it('opens once with a ticket, and not with a used, a foreign, an old or an invented one', async () => {
    const router = await running()
    const path = await ticket(router.id)
    const first = await open(path)
    expect(first.status).toBe(101)
    first.socket.close()
    expect((await open(path)).status).toBe(401)

    expect((await open(await ticket(router.id), { token: other.token })).status).toBe(401)
    const display = await ticket(router.id, 'display')
    expect((await open(display.replace('display', 'serial'))).status).toBe(401)
    const old = await ticket(router.id)
    clock.advance(31_000)
    expect((await open(old)).status).toBe(401)
    expect((await open(`/api/consoles/serial?ticket=${'a'.repeat(43)}`)).status).toBe(401)
    expect((await open('/api/consoles/serial')).status).toBe(401)
  })

  it('a serial console that a session asked for opens with the cookie of that session alone, and a refusal leaves the ticket unused', async () => {
    const router = await running()
    const path = await ticket(router.id)
    testApp.sessions.set('another-browser', { ...testApp.sessions.get(owner.token)!, sessionId: 4_711 })
    expect((await open(path, { token: null })).status).toBe(401)
    expect((await open(path, { token: null, origin: null })).status).toBe(401)
    expect((await open(path, { token: 'another-browser' })).status).toBe(401)
    const { status, socket } = await open(path)
    expect(status).toBe(101)
    socket.terminate()
  })

  it('opens without an Origin, and ends with the session that asked', async () => {
    const router = await running()
    const path = await ticket(router.id)
    const { status, closed } = await open(path, { origin: null })
    expect(status).toBe(101)
    expect((await open(path)).status).toBe(401)
    const principal = testApp.sessions.get(owner.token)!
    testApp.sessions.delete(owner.token)
    testApp.bus.receive(JSON.stringify({ type: 'router', id: router.id, accountId: accountIdOf(owner.id) }))
    expect(await closed).toBe(1008)
    testApp.sessions.set(owner.token, principal)
  })

  it('a serial console that a token asked for ends with the token, and does not open after it', async () => {
    const router = await running()
    const { sessionId: _, ...principal } = testApp.sessions.get(owner.token)!
    testApp.sessions.set('a-program', {
      ...principal,
      via: 'token',
      sessionId: null,
      tokenId: 7,
      scopes: ['routers:write'],
    })
    const ask = async (): Promise<string> => {
      const { body } = await testApp.call('a-program', 'POST', `/api/virtual_machines/${router.id}/serial`, {})
      return body.url.slice(body.url.indexOf('/api/'))
    }
    const [path, late] = [await ask(), await ask()]
    const { status, closed } = await open(path, { token: null, origin: null })
    expect(status).toBe(101)
    testApp.sessions.delete('a-program')
    testApp.bus.receive(JSON.stringify({ type: 'router', id: router.id, accountId: accountIdOf(owner.id) }))
    expect(await closed).toBe(1008)
    expect((await open(late, { token: null })).status).toBe(401)
  })

  it('opened by two at once with one ticket opens for one', async () => {
    const router = await running()
    const path = await ticket(router.id)
    const both = await Promise.all([open(path), open(path)])
    expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([101, 401])
    for (const one of both) one.socket.terminate()
  })

  it('is refused to the page of another user, whose ticket is then still unused', async () => {
    const router = await running()
    const path = await ticket(router.id)
    expect((await open(path, { origin: 'https://evil.example' })).status).toBe(403)
    const own = await open(path)
    expect(own.status).toBe(101)
    own.socket.close()
  })

  it.each(['localhost', '[::1]'])(
    'opens to the page of the portal at %s, a name of the listening address',
    async (name) => {
      const path = await ticket((await running()).id)
      const { status, socket } = await open(path, { origin: `http://${name}:${port}` })
      expect(status).toBe(101)
      socket.close()
    },
  )

  it.each<[string, () => { origin: string; host?: string }]>([
    ['an empty Origin', () => ({ origin: '' })],
    ['the Origin null of a sandboxed page', () => ({ origin: 'null' })],
    ['another port', () => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['no port', () => ({ origin: 'http://127.0.0.1' })],
    ['another scheme', () => ({ origin: `https://127.0.0.1:${port}` })],
    ['a trailing slash', () => ({ origin: `http://127.0.0.1:${port}/` })],
    ['a name that begins with the portal', () => ({ origin: `http://127.0.0.1.evil.example:${port}` })],
    ['the portal among others', () => ({ origin: `http://127.0.0.1:${port} http://evil.example` })],
    [
      'a name that was pointed at the portal, as Host too (DNS rebinding)',
      () => ({ origin: `http://rebound.example:${port}`, host: `rebound.example:${port}` }),
    ],
  ])('is refused to a request with %s, without PUBLIC_URL', async (_, request) => {
    const path = await ticket((await running()).id)
    expect((await open(path, request())).status).toBe(403)
    const own = await open(path)
    expect(own.status).toBe(101)
    own.socket.close()
  })

  it.each<[string, string]>([
    ['the Origin null', 'null'],
    ['a sibling subdomain', 'https://status.example.net'],
    ['a subdomain of the portal', 'https://a.portal.example.net'],
    ['the parent domain', 'https://example.net'],
    ['another scheme', 'http://portal.example.net'],
    ['another port', 'https://portal.example.net:8443'],
    ['user information before another host', 'https://portal.example.net@evil.example'],
    ['another letter case', 'https://Portal.example.net'],
    ['the listening address', 'listening'],
  ])('is refused to a request with %s where PUBLIC_URL is set', async (_, named) => {
    const path = await ticket((await running()).id)
    Object.assign(testApp.deps.config, { PUBLIC_URL: 'https://portal.example.net' })
    try {
      const origin = named === 'listening' ? `http://127.0.0.1:${port}` : named
      for (const host of ['portal.example.net', URL.parse(origin)?.host ?? 'portal.example.net'])
        expect((await open(path, { origin, host })).status).toBe(403)
      const own = await open(path, { origin: 'https://portal.example.net', host: 'rebound.example' })
      expect(own.status).toBe(101)
      own.socket.close()
    } finally {
      Object.assign(testApp.deps.config, { PUBLIC_URL: undefined })
    }
  })

  it('ends when the machine does', async () => {
    const router = await running()
    const { socket, text, closed } = await open(await ticket(router.id))
    socket.send('hostname\r')
    await expect.poll(text).toContain(router.name)
    await testApp.hypervisor.stop(router.uuid, { mode: 'force' })
    expect(await closed).toBe(1001)
  })
})

consolesEndWithTheirAccess({
  testApp,
  owner,
  running: async () => (await running()).id,
  portal: () => `http://127.0.0.1:${port}`,
})

describe('a display', () => {
  it('speaks RFB from the first byte', async () => {
    const router = await running()
    const { socket, text } = await open(await ticket(router.id, 'display'))
    await expect.poll(text, { timeout: 5_000 }).toMatch(/^RFB 003\.\d{3}\n/)
    socket.close()
  })
})
