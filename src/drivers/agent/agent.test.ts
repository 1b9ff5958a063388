import { once } from 'node:events'
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createServer, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { beforeEffect } from '../../kernel/effects.ts'
import { createSimulatedHypervisor } from '../hypervisor/simulated/index.ts'
import type { EdgeDriver } from '../edge/index.ts'
import type { Hypervisor, HypervisorEvent } from '../hypervisor/index.ts'
import { createAuthority, createKeyPair, issueCertificate, keyDigest, PORTAL_NAME } from './certificates.ts'
import { enrolAt } from './dial.ts'
import { Fence } from './fence.ts'
import { listenForAgents } from './listen.ts'
import { ALPN_AGENT, EDGE_METHODS, HYPERVISOR_METHODS } from './protocol.ts'
import { ALL_CAPABILITIES } from '../edge/index.ts'
import { createRemoteEdge } from './remote-edge.ts'
import { createRemoteHypervisor } from './remote-hypervisor.ts'
import { serveHypervisor } from './serve.ts'
import { HELLO, openTestLink, serveDriver } from './testing.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

type Answer = (stream: ServerHttp2Stream, path: string) => void

/** An agent rewritten by an attacker who broke into its host. */
async function hostile<M extends typeof HYPERVISOR_METHODS | typeof EDGE_METHODS>(methods: M, answer: Answer) {
  const opened = await openTestLink(methods, async (socket) => {
    const session = performServerHandshake(socket)
    session.on('error', () => undefined)
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined)
      answer(stream, headers[':path']!)
    })
    await once(session, 'close')
  })
  undo.push(() => opened.close())
  return opened.link
}
const hostileHypervisor = async (answer: Answer): Promise<Hypervisor> =>
  createRemoteHypervisor('libvirt', await hostile(HYPERVISOR_METHODS, answer))
const hostileEdge = async (answer: Answer): Promise<EdgeDriver> =>
  createRemoteEdge(
    'bird',
    { generationOf: () => 'digest', capabilities: ALL_CAPABILITIES },
    await hostile(EDGE_METHODS, answer),
  )

const reply =
  (body: string, status = 200): Answer =>
  (stream) => {
    stream.respond({ ':status': status })
    stream.end(body)
  }

describe('a portal whose agent is hostile', () => {
  it.each([
    ['no JSON', '<html>'],
    ['another shape', '{"state":"running"}'],
    ['a state that there is not', '"flying"'],
    ['nothing', ''],
    ['a prototype', '{"__proto__":{"isAdmin":true}}'],
  ])('takes %s for no answer', async (_what, body) => {
    const hypervisor = await hostileHypervisor(reply(body))
    await expect(hypervisor.state(randomUUID())).rejects.toMatchObject({ kind: 'internal' })
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  it.each([
    ['a machine that has no UUID', JSON.stringify([{ uuid: "1'; drop table routers", state: 'off' }])],
    ['a list that is none', '{"length":1}'],
  ])('takes %s for no list', async (_what, body) => {
    const hypervisor = await hostileHypervisor(reply(body))
    await expect(hypervisor.list()).rejects.toMatchObject({ kind: 'internal' })
    await expect(hypervisor.stats()).rejects.toMatchObject({ kind: 'internal' })
  })

  it.each([
    ['a negative count', { received: -1 }],
    ['a family that there is not', { family: 5 }],
    ['a state that there is not', { state: 'GREAT' }],
    ['an error of a megabyte', { lastError: 'x'.repeat(1 << 20) }],
  ])('takes no session with %s', async (_what, change) => {
    const session = {
      customerId: 1,
      family: 4,
      state: 'IDLE',
      since: null,
      received: 0,
      accepted: 0,
      exported: 0,
      lastError: null,
    }
    const edge = await hostileEdge(reply(JSON.stringify([{ ...session, ...change }])))
    await expect(edge.sessions()).rejects.toMatchObject({ name: 'EdgeError', kind: 'internal' })
  })

  it('stops to read an answer that is larger than one may be', async () => {
    let sent = 0
    const hypervisor = await hostileHypervisor((stream) => {
      stream.respond({ ':status': 200 })
      const more = () => {
        while (!stream.destroyed && stream.write(Buffer.alloc(65_536, 0x20))) sent += 65_536
        if (sent < 64 << 20) stream.once('drain', more)
      }
      more()
    })
    await expect(hypervisor.facts()).rejects.toMatchObject({ kind: 'internal', message: /too large/ })
    expect(sent).toBeLessThan(8 << 20)
  })

  it.each([
    ['does not answer', () => undefined],
    [
      'answers a byte at a time',
      (stream: ServerHttp2Stream) => {
        stream.respond({ ':status': 200 })
        const timer = setInterval(() => stream.write(' '), 50)
        stream.once('close', () => clearInterval(timer))
      },
    ],
  ] as const)('gives up one that %s, within the deadline', async (_what, answer) => {
    const methods = { ...HYPERVISOR_METHODS, state: { ...HYPERVISOR_METHODS.state, withinMs: 300 } }
    const hypervisor = createRemoteHypervisor('libvirt', await hostile(methods, answer))
    const began = performance.now()
    await expect(hypervisor.state(randomUUID())).rejects.toMatchObject({ kind: 'unreachable', message: /in time/ })
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it('believes no kind of failure that there is not, and no endless message', async () => {
    const unknown = await hostileHypervisor(reply(JSON.stringify({ kind: 'root', message: 'x' }), 422))
    await expect(unknown.state(randomUUID())).rejects.toMatchObject({ kind: 'internal' })
    const endless = await hostileHypervisor(reply(JSON.stringify({ kind: 'refused', message: 'x'.repeat(9_000) }), 422))
    await expect(endless.state(randomUUID())).rejects.toMatchObject({ kind: 'internal' })
  })

  it('ends the events at one that cannot be read, and at one without an end', async () => {
    for (const body of ['{"type":"connected"}\n{"type":"machine","uuid":"*","state":"off"}\n', 'x'.repeat(100_000)]) {
      const hypervisor = await hostileHypervisor(reply(body))
      const seen: HypervisorEvent[] = []
      for await (const event of hypervisor.events(AbortSignal.timeout(5_000))) seen.push(event)
      expect(seen.at(-1)).toMatchObject({ type: 'lost' })
      expect(seen.every(({ type }) => type === 'connected' || type === 'lost')).toBe(true)
    }
  })
})

describe('a link', () => {
  const localHypervisor = () => createSimulatedHypervisor({ bootMs: 10, shutdownMs: 5 })

  it('says that it is not known what happened when it is cut in the middle of a change', async () => {
    const hypervisor = await hostileHypervisor((stream) => stream.session!.destroy())
    await expect(hypervisor.start(randomUUID())).rejects.toMatchObject({ kind: 'timeout-unknown' })
    await expect(hypervisor.start(randomUUID())).rejects.toMatchObject({ kind: 'timeout-unknown' })
  })

  it('says that a reading was not possible when it is cut', async () => {
    const hypervisor = await hostileHypervisor((stream) => stream.session!.destroy())
    await expect(hypervisor.state(randomUUID())).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('lets an agent change nothing outside of a lease', async () => {
    const served = serveHypervisor(localHypervisor(), async () => HELLO)
    const opened = await openTestLink(HYPERVISOR_METHODS, serveDriver(served), () => null)
    undo.push(() => opened.close())
    const hypervisor = createRemoteHypervisor('simulated', opened.link)
    expect(await hypervisor.list()).toEqual([])
    await expect(hypervisor.remove(randomUUID())).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('lets an agent change nothing under a lease that another has taken over', async () => {
    const fence = new Fence()
    const served = serveHypervisor(localHypervisor(), async () => HELLO)
    const before = await openTestLink(HYPERVISOR_METHODS, serveDriver(served, fence), () => ({
      epoch: '7',
      leftMs: 8_000,
    }))
    const after = await openTestLink(HYPERVISOR_METHODS, serveDriver(served, fence), () => ({
      epoch: '8',
      leftMs: 8_000,
    }))
    undo.push(
      () => before.close(),
      () => after.close(),
    )
    await before.link.call('remove', { uuid: randomUUID() })
    await after.link.call('remove', { uuid: randomUUID() })
    await expect(before.link.call('remove', { uuid: randomUUID() })).rejects.toMatchObject({ how: 'fenced' })
  })

  it.each([
    ['goes on with', true],
    ['stops', false],
  ])(
    '%s a change that outlasts its lease, as the lease is renewed or not: %s',
    async (_what, renewed) => {
      const began = performance.now()
      const driver: Hypervisor = {
        ...localHypervisor(),
        async remove() {
          for (let step = 0; step < 8; step += 1) {
            beforeEffect()
            await sleep(400)
          }
        },
      }
      const served = serveHypervisor(driver, async () => HELLO)
      const lease = () => ({ epoch: '1', leftMs: renewed ? 1_600 : Math.max(0, 1_600 - (performance.now() - began)) })
      const opened = await openTestLink(HYPERVISOR_METHODS, serveDriver(served), lease)
      undo.push(() => opened.close())
      const work = opened.link.call('remove', { uuid: randomUUID() })
      await (renewed ? work : expect(work).rejects.toMatchObject({ how: 'fenced' }))
    },
    15_000,
  )

  it('knows no other methods than those of its driver', async () => {
    const served = serveHypervisor(localHypervisor(), async () => HELLO)
    const more = { ...HYPERVISOR_METHODS, constructor: HYPERVISOR_METHODS.facts, close: HYPERVISOR_METHODS.facts }
    const opened = await openTestLink(more, serveDriver(served))
    undo.push(() => opened.close())
    for (const name of ['constructor', 'close'] as const)
      await expect(opened.link.call(name, {})).rejects.toMatchObject({ how: 'failed', message: /knows no/ })
  })
})

describe('where agents connect to', () => {
  async function listen() {
    const authority = await createAuthority()
    const taken: string[] = []
    const listener = await listenForAgents({
      host: '127.0.0.1',
      port: 0,
      authority,
      onAgent: async (key, socket) => {
        taken.push(key)
        socket.end('taken')
      },
      enrol: async ({ token, publicKey }) =>
        token === 'right'
          ? { certificate: await issueCertificate(authority, 'agent', publicKey), role: 'edge', slug: 'edge1' }
          : { refused: 'no such token' },
      onError: () => undefined,
    })
    undo.push(() => listener.close())
    return { authority, taken, port: listener.port }
  }

  /** Collects what is received until the connection ends. */
  async function heard(port: number, options: ConnectionOptions): Promise<string> {
    const socket: TLSSocket = connect({
      ...options,
      host: '127.0.0.1',
      port,
      servername: PORTAL_NAME,
      rejectUnauthorized: false,
    })
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined)
    await once(socket, 'close')
    return text
  }

  it('takes a key that its authority has certified, and no other', async () => {
    const { authority, taken, port } = await listen()
    const keys = createKeyPair()
    const other = await createAuthority()
    const certified = { cert: await issueCertificate(authority, 'agent', keys.publicKey), key: keys.privateKey }
    const foreign = { cert: await issueCertificate(other, 'agent', keys.publicKey), key: keys.privateKey }
    const asPortal = { cert: await issueCertificate(authority, 'portal', keys.publicKey), key: keys.privateKey }
    const ALPNProtocols = [ALPN_AGENT]
    expect(await heard(port, { ALPNProtocols })).toBe('')
    expect(await heard(port, { ...foreign, ALPNProtocols })).toBe('')
    expect(await heard(port, { ...asPortal, ALPNProtocols })).toBe('')
    expect(await heard(port, { ...certified })).toBe('')
    expect(taken).toEqual([])
    expect(await heard(port, { ...certified, ALPNProtocols })).toBe('taken')
    expect(taken).toHaveLength(1)
  })

  it('certifies the key of a new agent for its token, and tells another why it does not', async () => {
    const { authority, taken, port } = await listen()
    const { publicKey, privateKey } = createKeyPair()
    const enrol = (token: string, of = authority) =>
      enrolAt({ host: '127.0.0.1', port }, of.certificate, { token, publicKey })
    expect(await enrol('wrong')).toEqual({ refused: 'no such token' })
    // A portal with another authority never receives the token.
    await expect(enrol('right', await createAuthority())).rejects.toThrow(/certificate/)
    const enrolled = await enrol('right')
    if ('refused' in enrolled) throw new Error(enrolled.refused)
    expect(enrolled).toMatchObject({ role: 'edge', slug: 'edge1' })
    await heard(port, { cert: enrolled.certificate, key: privateKey, ALPNProtocols: [ALPN_AGENT] })
    expect(taken).toEqual([keyDigest(publicKey)])
  })

  it('is not passed off by an agent to another agent', async () => {
    const authority = await createAuthority()
    const keys = createKeyPair()
    const cert = await issueCertificate(authority, 'agent', keys.publicKey)
    const server = createServer({ cert, key: keys.privateKey })
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    undo.push(async () => server.close())
    const { port } = server.address() as { port: number }
    const victim = connect({ host: '127.0.0.1', port, servername: PORTAL_NAME, ca: [authority.certificate] })
    await expect(once(victim, 'secureConnect')).rejects.toMatchObject({
      code: expect.stringMatching(/CERT|ALTNAME|PURPOSE/),
    })
  })
})

describe('what an agent says an edge refused from its upstreams', () => {
  const rejection = { upstream: 'upstream1_v4', prefix: '45.30.1.0/24', rejection: 15, at: '2026-11-20T03:00:00.000Z' }
  const takes = (answer: unknown) => EDGE_METHODS.refusedFromUpstreams.result.safeParse(answer).success

  it('is taken as the drivers say it', () => {
    expect(takes({ logError: null, rejections: [rejection, { ...rejection, prefix: null }] })).toBe(true)
  })

  it.each<[string, unknown]>([
    ['more of them than any edge keeps', { logError: null, rejections: Array.from({ length: 201 }, () => rejection) }],
    ['a name of two lines', { logError: null, rejections: [{ ...rejection, upstream: 'a\nb' }] }],
    ['a name that the database cannot hold', { logError: null, rejections: [{ ...rejection, upstream: 'a\0' }] }],
    ['what is no prefix', { logError: null, rejections: [{ ...rejection, prefix: '<b>' }] }],
    ['a reason that nobody knows', { logError: null, rejections: [{ ...rejection, rejection: 99 }] }],
    ['a text without an end', { logError: 'a'.repeat(501), rejections: [] }],
  ])('is refused with %s', (_, answer) => expect(takes(answer)).toBe(false))
})
