import { setTimeout as sleep } from 'node:timers/promises'
import { HypervisorError } from '../index.ts'
import { Connection } from './rpc/connection.ts'

const FIRST_PAUSE = 200
const LONGEST_PAUSE = 30_000

export interface LinkEvents {
  readonly message?: (procedure: number, body: Buffer) => void
  readonly connected?: () => void
  /** Called when the connection ended, or {@link Link.hold} cannot open one: once for each reason. */
  readonly lost?: (reason: string) => void
}

/** Keeps one connection, opens it when it is needed, and reopens it after a loss. */
export class Link {
  readonly #path: string
  readonly #events: LinkEvents
  readonly #prepare: (connection: Connection) => Promise<void>
  #current: Connection | null = null
  #opening: Promise<Connection> | null = null
  #closed = false

  /** `prepare` runs on every new connection before any caller gets it. */
  constructor(
    path: string,
    events: LinkEvents = {},
    prepare: (connection: Connection) => Promise<void> = () => Promise.resolve(),
  ) {
    this.#path = path
    this.#events = events
    this.#prepare = prepare
  }

  get connected(): boolean {
    return this.#current?.closed === false
  }

  /** Returns the open connection, or a new one. Throws `unreachable`; the next call tries again. */
  async get(): Promise<Connection> {
    if (this.#closed) throw new HypervisorError('unreachable', 'this driver has been closed')
    if (this.#current?.closed === false) return this.#current
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  /** Keeps the connection open until `signal` aborts, with growing pauses between attempts after a loss. */
  async hold(signal: AbortSignal): Promise<void> {
    let lastReason: string | null = null
    for (let pause = FIRST_PAUSE; !signal.aborted && !this.#closed;) {
      try {
        await this.get()
        pause = FIRST_PAUSE
        lastReason = null
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (reason !== lastReason && !this.#closed) this.#events.lost?.(reason)
        lastReason = reason
        // Many portals may have lost the same host: they must not all reconnect at the same moment.
        pause = Math.min(LONGEST_PAUSE, pause * (1.5 + Math.random()))
      }
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  /** Closes the connection; the next call opens another. */
  drop(): void {
    this.#current?.close()
    this.#current = null
  }

  close(): void {
    this.#closed = true
    this.drop()
  }

  async #open(): Promise<Connection> {
    // Assigned after `open`, whose handshake may fail and call `closed` first.
    let opened: Connection | undefined
    const connection = await Connection.open(this.#path, {
      message: (procedure, body) => this.#events.message?.(procedure, body),
      closed: (reason) => {
        // A connection that never became current is not reported as lost.
        if (this.#current === opened) this.#events.lost?.(reason)
      },
    })
    opened = connection
    try {
      await this.#prepare(connection)
      if (this.#closed || connection.closed) throw new HypervisorError('unreachable', 'the connection ended at once')
    } catch (error) {
      connection.close()
      throw error
    }
    this.#current = connection
    this.#events.connected?.()
    return connection
  }
}
