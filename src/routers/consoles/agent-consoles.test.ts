import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { systemClock } from '../../kernel/clock.ts'
import { newHypervisor, startHypervisorAgent } from '../hypervisors/testing.ts'
import { createRoutersTestApp, SECRET_KEY } from '../testing.ts'
import { createAgentTickets, signAgentTicket } from './agent-tickets.ts'
import { consolesEndWithTheirAccess } from './testing.ts'

// Clients connect to a process without a driver. Another process drives the machines.
const testApp = await createRoutersTestApp({ agent: 'none' })
const owner = await testApp.addUser()
const place = newHypervisor()
let host = await startHypervisorAgent(testApp, 'ams1-hv1', place)
let portal = ''
beforeAll(async () => {
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  portal = `http://127.0.0.1:${(testApp.app.server.address() as { port: number }).port}`
  await vi.waitUntil(() => host.term() !== null, { timeout: 10_000 })
})
afterAll(async () => {
  await testApp.app.close()
  await host.end()
})

let orders = 0
async function running() {
  const { body } = await owner.call('POST', '/api/virtual_machines', {
    name: `far-${++orders}`,
    site: 'ams1',
    plan: 'lark',
    image: 'longhaul-appliance',
  })
  await vi.waitUntil(async () => (await testApp.stateOf(body.id)) === 'RUNNING', { timeout: 10_000 })
  return { id: body.id as number, uuid: body.uuid as string, name: body.name as string }
}

function connect(url: string, headers: Record<string, string>) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  const chunks: Buffer[] = []
  socket.on('message', (data: Buffer) => chunks.push(data))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  return new Promise<{ status: number; socket: WebSocket; text: () => string; closed: Promise<number> }>((resolve) => {
    const answer = (status: number) =>
      resolve({ status, socket, closed, text: () => Buffer.concat(chunks).toString('latin1') })
    socket.once('open', () => answer(101))
    socket.once('unexpected-response', (request, response) => {
      answer(response.statusCode ?? 0)
      request.destroy()
    })
    socket.on('error', () => answer(0))
  })
}

/** Opens a console as a browser does. */
async function open(id: number, kind = 'serial') {
  const { body } = await owner.call('POST', `/api/virtual_machines/${id}/${kind}`, {})
  const { pathname, search } = new URL(body.url)
  return connect(portal + pathname + search, { cookie: `session=${owner.token}`, origin: portal })
}

describe('a console of a machine on another host', () => {
  it('carries what is typed and what is answered', async () => {
    const router = await running()
    const { status, socket, text } = await open(router.id)
    expect(status).toBe(101)
    socket.send('hostname\r')
    await expect.poll(text, { timeout: 5_000 }).toContain(router.name)
    socket.close()
    await vi.waitUntil(() => socket.readyState === WebSocket.CLOSED, { timeout: 10_000 })
  })

  it('shows the display from the first byte', async () => {
    const { socket, text } = await open((await running()).id, 'display')
    await expect.poll(text, { timeout: 5_000 }).toMatch(/^RFB 003\.\d{3}\n/)
    socket.close()
  })

  it('ends with the machine, and with the process that drives it', async () => {
    const [router, other] = [await running(), await running()]
    const [one, two] = [await open(router.id), await open(other.id)]
    for (const { socket, text } of [one, two]) {
      socket.send('hostname\r')
      await expect.poll(text, { timeout: 5_000 }).toContain('far-')
    }
    await place.hypervisor.stop(router.uuid, { mode: 'force' })
    expect(await one.closed).toBe(1001)
    await host.end()
    expect(await two.closed).toBe(1001)
    const { status, closed } = await open(other.id)
    expect([status, await closed]).toEqual([101, 1011])
    host = await startHypervisorAgent(testApp, 'ams1-hv1', place)
    await vi.waitUntil(() => host.term() !== null, { timeout: 10_000 })
    const again = await open(other.id)
    again.socket.send('hostname\r')
    await expect.poll(again.text, { timeout: 5_000 }).toContain(other.name)
    again.socket.close()
  })

  it('waits for its reader: what no one takes stays with the machine', async () => {
    const router = await running()
    let written = 0
    const openSerial = place.hypervisor.openSerial.bind(place.hypervisor)
    const { Duplex } = await import('node:stream')
    const flood = () =>
      new Duplex({
        write: (_chunk, _encoding, done) => done(),
        read() {
          written += 65_536
          this.push(Buffer.alloc(65_536))
        },
      })
    Object.assign(place.hypervisor, { openSerial: async () => flood() })
    const { socket } = await open(router.id)
    socket.pause()
    // Socket buffers along the way fill once, and then nothing more is written. Without that limit this loop never
    // ends.
    for (let held = -1; held < written; await sleep(600)) held = written
    Object.assign(place.hypervisor, { openSerial })
    socket.terminate()
    expect(written).toBeGreaterThan(0)
  })
})

consolesEndWithTheirAccess({ testApp, owner, running: async () => (await running()).id, portal: () => portal })

describe('the host’s side', () => {
  const at = (kind: string, ticket: string | null) =>
    connect(`${host.url}/internal/consoles/${kind}`, ticket === null ? {} : { authorization: `Bearer ${ticket}` })
  const sign = (change: Partial<Parameters<typeof signAgentTicket>[1]> = {}, secret = SECRET_KEY, now = new Date()) =>
    signAgentTicket(
      secret,
      { hypervisor: 'ams1-hv1', machine: randomUUID(), kind: 'serial', term: host.term()!, ...change },
      now,
    )

  it('opens once with a ticket', async () => {
    const { uuid } = await running()
    const ticket = sign({ machine: uuid })
    const first = await at('serial', ticket)
    expect(first.status).toBe(101)
    first.socket.close()
    expect((await at('serial', ticket)).status).toBe(401)
  })

  it('refuses one that is missing, forged, changed, for another kind, of an earlier claim, or too old', async () => {
    const refused = [
      ['serial', null],
      ['serial', 'x.y'],
      ['serial', sign({}, 'another secret key of thirty-two letters')],
      ['serial', `${sign().split('.')[0]}.${sign().split('.')[1]}`],
      ['serial', sign({ kind: 'display' })],
      ['display', sign()],
      ['serial', sign({ term: '7' })],
      ['serial', sign({ hypervisor: 'ams1-hv2' })],
      ['serial', sign({}, SECRET_KEY, new Date(Date.now() - 31_000))],
      ['serial', sign({}, SECRET_KEY, new Date(Date.now() + 3_600_000))],
    ] as const
    for (const [kind, ticket] of refused)
      expect([kind, ticket, (await at(kind, ticket)).status]).toEqual([kind, ticket, 401])
  })

  it('answers nothing else, to anyone', async () => {
    for (const path of [
      '/',
      '/internal/consoles/serial',
      '/api/virtual_machines',
      '/api/session',
      '/api/openapi.json',
    ]) {
      expect([path, (await fetch(host.url + path)).status]).toEqual([path, 404])
    }
  })

  it('forgets used tickets only when they are too old to be used again', () => {
    const tickets = createAgentTickets(SECRET_KEY)
    const term = '7'
    const now = systemClock.now()
    const later = (ms: number) => new Date(now.getTime() + ms)
    const ticket = signAgentTicket(
      SECRET_KEY,
      { hypervisor: 'ams1-hv1', machine: randomUUID(), kind: 'serial', term },
      now,
    )
    const redeem = (text: string, when: Date) => tickets.redeem(text, { kind: 'serial', term: () => term }, when)
    expect(redeem(ticket, later(1))).not.toBeNull()
    expect(
      redeem(
        signAgentTicket(
          SECRET_KEY,
          { hypervisor: 'ams1-hv1', machine: randomUUID(), kind: 'serial', term },
          later(29_000),
        ),
        later(29_000),
      ),
    ).not.toBeNull()
    expect(redeem(ticket, later(29_500))).toBeNull()
  })
})
