/** The agent's end of a link: serves the portal's requests with the local driver. */
import { constants, performServerHandshake, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { EdgeDriver } from '../edge/index.ts'
import type { Hypervisor } from '../hypervisor/index.ts'
import { Fence, FencedError } from './fence.ts'
import { MOST_SESSION_MB, readWhole, requireAnswers } from './http2.ts'
import {
  EDGE_METHODS,
  HYPERVISOR_METHODS,
  hypervisorEvent,
  LARGEST_QUESTION,
  LEASE_HEADER,
  leaseHeader,
  type Hello,
  type Methods,
} from './protocol.ts'

type Answers<M extends Methods> = {
  readonly [K in keyof M]: (args: z.output<M[K]['args']>, signal: AbortSignal) => Promise<z.output<M[K]['result']>>
}

/** The methods that a link can call: those of one driver. */
export interface Served {
  readonly methods: Methods
  readonly answers: Readonly<Record<string, (args: never, signal: AbortSignal) => Promise<unknown>>>
  readonly streams: Readonly<Record<string, (name: string, stream: ServerHttp2Stream) => Promise<void>>>
}

export function serveHypervisor(driver: Hypervisor, hello: () => Promise<Hello>): Served {
  const answers: Answers<typeof HYPERVISOR_METHODS> = {
    hello,
    facts: () => driver.facts(),
    images: () => driver.images(),
    list: () => driver.list(),
    orphanedResources: () => driver.orphanedResources(),
    state: ({ uuid }) => driver.state(uuid),
    endedBy: ({ uuid }) => driver.endedBy(uuid),
    stats: () => driver.stats(),
    ensure: (spec) => driver.ensure(spec),
    start: ({ uuid }) => driver.start(uuid),
    stop: ({ uuid, ...options }, signal) => driver.stop(uuid, { ...options, signal }),
    reset: ({ uuid }) => driver.reset(uuid),
    reinstall: ({ uuid }) => driver.reinstall(uuid),
    remove: ({ uuid }) => driver.remove(uuid),
    guardPorts: () => driver.guardPorts(),
    'guest.ping': ({ uuid }) => driver.guest(uuid).ping(),
    'guest.writeFile': ({ uuid, path, content, mode }) => driver.guest(uuid).writeFile(path, content, mode),
    'guest.exec': ({ uuid, argv, ...options }) => driver.guest(uuid).exec(argv, options),
  }
  const streams: Served['streams'] = {
    serial: async (uuid, stream) => joinStream(await driver.openSerial(uuid), stream),
    display: async (uuid, stream) => joinStream(await driver.openDisplay(uuid), stream),
    async events(_name, stream) {
      const gone = new AbortController()
      stream.once('close', () => gone.abort())
      stream.respond({ ':status': 200 })
      await pipeline(async function* () {
        for await (const event of driver.events(gone.signal))
          yield `${JSON.stringify(z.encode(hypervisorEvent, event))}\n`
      }, stream)
    },
  }
  return { methods: HYPERVISOR_METHODS, answers, streams }
}

export function serveEdge(driver: EdgeDriver, hello: () => Promise<Hello>): Served {
  const answers: Answers<typeof EDGE_METHODS> = {
    hello,
    running: () => driver.running(),
    carried: () => driver.carried(),
    sessions: () => driver.sessions(),
    upstreams: () => driver.upstreams(),
    refusedFromUpstreams: () => driver.refusedFromUpstreams(),
    routes: ({ customerId, limit }) => driver.routes(customerId, limit),
    receivedRoutes: ({ customerId, limit }) => driver.receivedRoutes(customerId, limit),
    sentRoutes: ({ customerId, ...query }) => driver.sentRoutes(customerId, query),
    candidates: ({ target, limit }) => driver.candidates(target, limit),
    rpki: () => driver.rpki(),
    pinnedNeighbors: () => driver.pinnedNeighbors(),
    apply: (state) => driver.apply(state),
    pinNeighbors: ({ hosts }) => driver.pinNeighbors(hosts),
  }
  return { methods: EDGE_METHODS, answers, streams: {} }
}

/** Serves until the connection ends. */
export function serveLink(socket: Duplex, served: Served, fence: Fence): Promise<void> {
  const session = performServerHandshake(socket, { maxSessionMemory: MOST_SESSION_MB })
  requireAnswers(session, socket)
  session.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    void answer(stream, headers, served, fence).catch((error: unknown) => {
      if (!stream.headersSent && !stream.destroyed) refuse(stream, error)
      else stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    })
  })
  return new Promise((resolve) => socket.once('close', resolve))
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  served: Served,
  fence: Fence,
): Promise<void> {
  const [, name = '', argument = ''] = String(headers[':path']).split('/')
  const lease = headers[LEASE_HEADER] === undefined ? null : leaseHeader.parse(headers[LEASE_HEADER])
  if (lease) fence.admit(lease)
  if (name === 'renew') return stream.respond({ ':status': 204 }, { endStream: true })
  if (Object.hasOwn(served.streams, name)) return served.streams[name]!(decodeURIComponent(argument), stream)
  if (!Object.hasOwn(served.methods, name)) throw new TypeError(`this agent knows no "${name.slice(0, 40)}"`)
  const method = served.methods[name]!
  if (method.changes && !lease) throw new FencedError('An agent changes nothing outside of a lease.')
  const args = method.args.parse(JSON.parse(await readWhole(stream, LARGEST_QUESTION))) as never
  const gone = new AbortController()
  stream.once('close', () => gone.abort())
  const work = () => served.answers[name]!(args, gone.signal)
  const result = await (lease ? fence.run(lease.epoch, work) : work())
  if (stream.destroyed) return
  stream.respond({ ':status': 200 })
  stream.end(JSON.stringify(z.encode(method.result, result)))
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  const { kind, message, code } = error as { kind?: unknown; message?: unknown; code?: unknown }
  stream.respond({ ':status': error instanceof FencedError ? 409 : 422 })
  stream.end(
    JSON.stringify({
      kind: typeof kind === 'string' ? kind : 'internal',
      message: String(message).slice(0, 2_000),
      ...(Number.isInteger(code) && { code }),
    }),
  )
}

async function joinStream(machine: Duplex, stream: ServerHttp2Stream): Promise<void> {
  machine.once('close', () => stream.close())
  stream.once('close', () => machine.destroy())
  machine.on('error', () => stream.close())
  if (stream.destroyed) return void machine.destroy()
  stream.respond({ ':status': 200 })
  machine.pipe(stream)
  stream.pipe(machine)
}
