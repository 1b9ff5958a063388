/** The portal's end of a link: it sends requests over the connection that the agent opened. */
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import { endSession, MOST_SESSION_MB, readWhole, requireAnswers, TooLargeError } from './http2.ts'
import { failure, LEASE_HEADER, type Failure, type Methods } from './protocol.ts'

const RENEW_EVERY_MS = 1_000
const OPEN_WITHIN_MS = 20_000
const LARGEST_FAILURE = 16_384

/**
 * Returns the lease under which the running code makes requests: its epoch, and how long it is still held. Null without
 * one.
 */
export type CurrentLease = () => { readonly epoch: string; readonly leftMs: number } | null

/**
 * `failed`: the driver reported an error. `lost`, `late`: no response; the call may still take effect. `fenced`: the
 * agent rejected it, and it has no effect. `garbled`: the response is invalid.
 */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly how: 'failed' | 'lost' | 'late' | 'fenced' | 'garbled'
  readonly failure: Failure | null
  constructor(how: CallError['how'], message: string, options: { failure?: Failure; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.how = how
    this.failure = options.failure ?? null
  }
}

interface CallOptions {
  /** Added to the method's own limit. */
  readonly extraMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export class Link<M extends Methods> {
  readonly #session: ClientHttp2Session
  readonly #socket: Duplex
  readonly #methods: M
  readonly #lease: CurrentLease
  readonly #closed = new AbortController()

  constructor(socket: Duplex, methods: M, lease: CurrentLease) {
    this.#methods = methods
    this.#lease = lease
    this.#session = connect('https://agent', {
      createConnection: () => socket,
      settings: { enablePush: false },
      maxSessionMemory: MOST_SESSION_MB,
      maxReservedRemoteStreams: 0,
    })
    requireAnswers(this.#session, socket)
    this.#socket = socket
    socket.once('close', () => {
      this.#session.destroy()
      this.#closed.abort()
    })
  }

  /** Aborts when the connection is closed. */
  get closed(): AbortSignal {
    return this.#closed.signal
  }

  close(): void {
    endSession(this.#session, this.#socket)
  }

  async call<K extends keyof M & string>(
    name: K,
    args: z.output<M[K]['args']>,
    { extraMs = 0, signal }: CallOptions = {},
  ): Promise<z.output<M[K]['result']>> {
    const method = this.#methods[name]!
    const held = method.changes ? this.#requireLease() : null
    const stream = this.#request(name, held)
    const late = { fired: false }
    const timer = setTimeout(() => {
      late.fired = true
      stream.close(constants.NGHTTP2_CANCEL)
    }, method.withinMs + extraMs)
    const renewing = held === null ? undefined : setInterval(() => this.#renew(), RENEW_EVERY_MS)
    const giveUp = () => stream.close(constants.NGHTTP2_CANCEL)
    signal?.addEventListener('abort', giveUp, { once: true })
    if (signal?.aborted) giveUp()
    try {
      const status = responseOf(stream)
      // Typed here and parsed by the agent: no request schema converts values.
      stream.end(JSON.stringify(args))
      await this.#requireSuccess(stream, await status)
      return parse(method.result, await readWhole(stream, method.largest)) as z.output<M[K]['result']>
    } catch (error) {
      if (late.fired) throw new CallError('late', `The agent did not answer "${name}" in time.`, { cause: error })
      throw error instanceof CallError ? error : asCallError(error)
    } finally {
      clearTimeout(timer)
      clearInterval(renewing)
      signal?.removeEventListener('abort', giveUp)
      // The response was not read to its end.
      stream.close(constants.NGHTTP2_CANCEL)
    }
  }

  /** Passes bytes both ways, at the pace of the slower end. */
  async open(path: string): Promise<ClientHttp2Stream> {
    const stream = this.#request(path, null)
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), OPEN_WITHIN_MS)
    try {
      await this.#requireSuccess(stream, await responseOf(stream))
    } catch (error) {
      stream.close(constants.NGHTTP2_CANCEL)
      throw error instanceof CallError ? error : asCallError(error)
    } finally {
      clearTimeout(timer)
    }
    // The peer has finished sending, and reads nothing more.
    stream.once('end', () => stream.destroy())
    return stream
  }

  #requireLease() {
    const held = this.#lease()
    if (held === null) throw new CallError('fenced', 'An agent changes nothing outside of a lease.')
    return held
  }

  /** While calls run under the lease: the agent counts down from the last value that it received. */
  #renew(): void {
    const held = this.#lease()
    if (held === null || this.#session.destroyed) return
    const stream = this.#session.request(headersOf('renew', held), { endStream: true })
    stream.on('error', () => undefined).resume()
  }

  #request(path: string, held: ReturnType<CurrentLease>): ClientHttp2Stream {
    try {
      const stream = this.#session.request(headersOf(path, held))
      // The reader handles the error; an earlier one must not end the process.
      stream.on('error', () => undefined)
      return stream
    } catch (cause) {
      throw new CallError('lost', 'The agent is not connected.', { cause })
    }
  }

  async #requireSuccess(stream: ClientHttp2Stream, status: number): Promise<void> {
    if (status === 200) return
    const said = parse(failure, await readWhole(stream, LARGEST_FAILURE))
    if (status === 409) throw new CallError('fenced', said.message)
    throw new CallError('failed', said.message, { failure: said })
  }
}

const headersOf = (path: string, held: ReturnType<CurrentLease>) => ({
  ':method': 'POST',
  ':path': `/${path}`,
  ...(held && { [LEASE_HEADER]: `${held.epoch} ${Math.max(0, Math.floor(held.leftMs))}` }),
})

function responseOf(stream: ClientHttp2Stream): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => resolve(Number(headers[':status'])))
    stream.once('error', reject)
    stream.once('close', () => reject(new Error('the connection ended before an answer')))
  })
}

function parse<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new CallError('garbled', 'The answer of the agent cannot be read.', { cause })
  }
}

function asCallError(error: unknown): CallError {
  if (error instanceof TooLargeError) return new CallError('garbled', 'The answer of the agent is too large.')
  return new CallError('lost', 'The connection to the agent ended before its answer.', { cause: error })
}
