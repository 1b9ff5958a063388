import { connect, type Socket } from 'node:net'
import { beforeEffect } from '../../../../kernel/effects.ts'
import { HypervisorError } from '../../index.ts'
import { readRemoteError } from './errors.ts'
import { encodeFrame, FRAME_STATUS, FRAME_TYPE, FrameSplitter, PROGRAM, type Frame } from './frame.ts'
import { PROCEDURES, type Procedure } from './procedures.ts'
import { RpcStream } from './stream.ts'
import { XdrReader, XdrWriter } from './xdr.ts'

const AUTH_NONE = 0
const AUTH_POLKIT = 2
const FEATURE_KEEPALIVE = 10
const KEEPALIVE = { ping: 1, pong: 2 } as const
/** A frozen daemon still accepts connections, so opening has its own deadline. */
const OPEN_DEADLINE = 5_000
const KEEPALIVE_INTERVAL = 2_000
/** After this many silent intervals the daemon counts as gone: six seconds, because a busy host may stall for two. */
const KEEPALIVE_LIMIT = 3

interface PendingCall {
  readonly procedure: Procedure
  readonly settle: (outcome: { body: Buffer } | { error: Error }) => void
}

export interface ConnectionEvents {
  message?: (procedure: number, body: Buffer) => void
  closed?: (reason: string) => void
}

/** One connection to libvirtd. It never reconnects: its owner decides what a loss means. */
export class Connection {
  readonly #socket: Socket
  readonly #events: ConnectionEvents
  readonly #splitter = new FrameSplitter()
  readonly #calls = new Map<number, PendingCall>()
  readonly #streams = new Map<number, RpcStream>()
  #serial = 0
  #silence = 0
  #closedFor: string | null = null
  #keepalive: NodeJS.Timeout | undefined

  private constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('error', (error) => this.#shut(error.message))
    socket.on('close', () => this.#shut('libvirtd closed the connection'))
  }

  /**
   * Connects, authenticates and opens `qemu:///system`. Throws `unreachable`, also if libvirt refuses, since that says
   * nothing about a machine. The message is libvirt's own.
   */
  static async open(path: string, events: ConnectionEvents = {}): Promise<Connection> {
    const connection = new Connection(await openSocket(path), events)
    try {
      await connection.#handshake()
      return connection
    } catch (error) {
      connection.close()
      if (!(error instanceof HypervisorError) || error.kind === 'unreachable') throw error
      throw new HypervisorError('unreachable', `libvirtd refuses the connection: ${error.message}`, {
        ...(error.code !== undefined && { code: error.code }),
        cause: error,
      })
    }
  }

  get closed(): boolean {
    return this.#closedFor !== null
  }

  async call(
    procedure: Procedure,
    body: Buffer = Buffer.alloc(0),
    deadlineMs = procedure.deadlineMs,
  ): Promise<XdrReader> {
    return new XdrReader(await this.#send(procedure, body, deadlineMs).answer)
  }

  /** Makes a call whose answer is followed by a stream of bytes in both directions. */
  async openStream(procedure: Procedure, body: Buffer): Promise<RpcStream> {
    const { serial, answer } = this.#send(procedure, body, procedure.deadlineMs)
    const write = (status: number, chunk: Buffer, done: (error?: Error | null) => void) => {
      const header = {
        program: procedure.program,
        procedure: procedure.number,
        type: FRAME_TYPE.stream,
        serial,
        status,
      }
      this.#socket.write(encodeFrame({ ...header, body: chunk }), done)
    }
    const stream = new RpcStream(write, () => this.#socket.resume())
    this.#streams.set(serial, stream)
    stream.once('close', () => this.#streams.delete(serial))
    try {
      await answer
      return stream
    } catch (error) {
      stream.destroy()
      throw error
    }
  }

  close(): void {
    this.#shut('closed by us')
  }

  async #handshake(): Promise<void> {
    const answer = await this.call(PROCEDURES.authList, undefined, OPEN_DEADLINE)
    const accepted = answer.array(() => answer.int())
    // Debian's default for every user but root; members of the group libvirt pass without a prompt.
    if (accepted.includes(AUTH_POLKIT)) await this.call(PROCEDURES.authPolkit, undefined, OPEN_DEADLINE)
    else if (!accepted.includes(AUTH_NONE))
      throw new HypervisorError(
        'refused',
        'libvirtd asks for a password: set auth_unix_rw to "polkit" or "none" in libvirtd.conf',
      )
    const feature = new XdrWriter().int(FEATURE_KEEPALIVE).finish()
    await this.call(PROCEDURES.supportsFeature, feature, OPEN_DEADLINE)
    const open = new XdrWriter().optional('qemu:///system').uint(0).finish()
    await this.call(PROCEDURES.open, open, OPEN_DEADLINE)
    this.#keepalive = setInterval(() => this.#ping(), KEEPALIVE_INTERVAL)
    this.#keepalive.unref()
  }

  #send(procedure: Procedure, body: Buffer, deadlineMs: number): { serial: number; answer: Promise<Buffer> } {
    beforeEffect()
    const serial = ++this.#serial
    if (this.#closedFor !== null)
      return { serial, answer: Promise.reject(new HypervisorError('unreachable', `libvirt: ${this.#closedFor}`)) }
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    const timer = setTimeout(() => this.#fail(serial, `no answer within ${deadlineMs} ms`), deadlineMs)
    this.#calls.set(serial, {
      procedure,
      settle: (outcome) => {
        clearTimeout(timer)
        this.#calls.delete(serial)
        if ('body' in outcome) resolve(outcome.body)
        else reject(outcome.error)
      },
    })
    const { program, number } = procedure
    this.#socket.write(
      encodeFrame({ program, procedure: number, type: FRAME_TYPE.call, serial, status: FRAME_STATUS.ok, body }),
    )
    return { serial, answer: promise }
  }

  #fail(serial: number, reason: string): void {
    const call = this.#calls.get(serial)
    if (call === undefined) return
    const kind = call.procedure.changes ? 'timeout-unknown' : 'unreachable'
    call.settle({ error: new HypervisorError(kind, `libvirt (${call.procedure.name}): ${reason}`) })
  }

  #receive(chunk: Buffer): void {
    this.#silence = 0
    try {
      for (const frame of this.#splitter.push(chunk)) this.#dispatch(frame)
    } catch (error) {
      this.#shut(error instanceof Error ? error.message : String(error))
    }
  }

  #dispatch(frame: Frame): void {
    if (frame.program === PROGRAM.keepalive) {
      if (frame.procedure === KEEPALIVE.ping) this.#sendKeepalive(KEEPALIVE.pong)
      return
    }
    switch (frame.type) {
      case FRAME_TYPE.reply: {
        const call = this.#calls.get(frame.serial)
        const failed = frame.status === FRAME_STATUS.error
        call?.settle(failed ? { error: readRemoteError(call.procedure.name, frame.body) } : { body: frame.body })
        return
      }
      case FRAME_TYPE.stream: {
        // A slow reader stops the whole connection, which is why each console has its own.
        if (this.#streams.get(frame.serial)?.receive(frame.status, frame.body) === false) this.#socket.pause()
        return
      }
      case FRAME_TYPE.message:
        this.#events.message?.(frame.procedure, frame.body)
    }
  }

  #ping(): void {
    // A paused socket means that we are slow, not that the daemon is silent.
    if (this.#socket.isPaused()) return
    if (this.#silence >= KEEPALIVE_LIMIT) this.#shut('libvirtd stopped answering')
    else {
      this.#silence += 1
      this.#sendKeepalive(KEEPALIVE.ping)
    }
  }

  #sendKeepalive(procedure: number): void {
    const header = { program: PROGRAM.keepalive, type: FRAME_TYPE.message, serial: 0, status: FRAME_STATUS.ok }
    if (!this.closed) this.#socket.write(encodeFrame({ ...header, procedure, body: Buffer.alloc(0) }))
  }

  #shut(reason: string): void {
    if (this.#closedFor !== null) return
    this.#closedFor = reason
    clearInterval(this.#keepalive)
    this.#socket.destroy()
    for (const serial of this.#calls.keys()) this.#fail(serial, reason)
    for (const stream of this.#streams.values()) stream.finish()
    this.#events.closed?.(reason)
  }
}

async function openSocket(path: string): Promise<Socket> {
  const socket = connect(path)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`no connection within ${OPEN_DEADLINE} ms`)), OPEN_DEADLINE)
  socket.once('connect', resolve).once('error', reject)
  try {
    await promise
    return socket
  } catch (cause) {
    socket.destroy()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HypervisorError('unreachable', `libvirtd does not answer at ${path}: ${reason}`, { cause })
  } finally {
    clearTimeout(timer)
    socket.removeListener('error', reject)
  }
}
