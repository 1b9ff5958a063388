/** A portal and an agent on this machine, over a real connection, for tests that must also pass remotely. */
import { once } from 'node:events'
import { createAuthority, createKeyPair, issueCertificate } from './certificates.ts'
import { keepDialling } from './dial.ts'
import { Fence } from './fence.ts'
import { Link, type CurrentLease } from './link.ts'
import { listenForAgents } from './listen.ts'
import type { Hello, Methods } from './protocol.ts'
import { serveLink, type Served } from './serve.ts'
import type { TLSSocket } from 'node:tls'

export const HELLO: Hello = {
  release: 'test',
  kind: 'simulated',
  why: 'a test',
  installation: null,
  routerId: null,
  operatorAsn: 64_500,
}

const HELD: CurrentLease = () => ({ epoch: '1', leftMs: 8_000 })

export interface TestLink<M extends Methods> {
  readonly link: Link<M>
  close(): Promise<void>
}

/** `serve` acts as the agent. */
export async function openTestLink<M extends Methods>(
  methods: M,
  serve: (socket: TLSSocket) => Promise<void>,
  lease: CurrentLease = HELD,
): Promise<TestLink<M>> {
  const authority = await createAuthority()
  const keys = createKeyPair()
  const connected = Promise.withResolvers<TLSSocket>()
  const listener = await listenForAgents({
    host: '127.0.0.1',
    port: 0,
    authority,
    onAgent: async (_key, socket) => connected.resolve(socket),
    enrol: async () => ({ refused: 'a test' }),
    onError: connected.reject,
  })
  const end = new AbortController()
  const dialling = keepDialling({
    address: { host: '127.0.0.1', port: listener.port },
    credentials: {
      privateKey: keys.privateKey,
      certificate: await issueCertificate(authority, 'agent', keys.publicKey),
      authority: authority.certificate,
    },
    serve,
    signal: end.signal,
    onState: () => undefined,
  })
  const link = new Link(await connected.promise, methods, lease)
  return {
    link,
    async close() {
      end.abort()
      if (!link.closed.aborted) await once(link.closed, 'abort')
      await dialling
      await listener.close()
    },
  }
}

/** An agent that serves this driver. */
export const serveDriver =
  (served: Served, fence = new Fence()) =>
  (socket: TLSSocket) =>
    serveLink(socket, served, fence)
