/** One dedicated connection that reconnects automatically: for LISTEN, and for locks that last as long as a session. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DEAD_PEERS } from './dead-peers.ts'
import { typeParsers } from './type-parsers.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A peer that vanished silently (power, network) is noticed after the sum of these two. */
const HEARTBEAT_MS = 5_000
const ANSWER_WITHIN_MS = 5_000

export interface PersistentConnectionOptions {
  readonly url: string
  readonly applicationName: string
  /** Called after every connect, before anything else; a throw counts as a broken connection. */
  readonly onUp: (client: pg.Client) => Promise<void>
  /** Called once for each connection that was up. */
  readonly onDown?: () => void
  /** Called for each failed attempt to connect, and each break. */
  readonly onError?: (error: Error) => void
  /** The longest pause between attempts to connect, in milliseconds. Default 10 s. */
  readonly longestPauseMs?: number
  /** The time limit for a connection and for each response, in milliseconds. Default 5 s. */
  readonly answerWithinMs?: number
}

export interface PersistentConnection {
  /** Returns the connection while it is up. */
  readonly current: () => pg.Client | undefined
  readonly close: () => Promise<void>
}

/** Resolves when the first connection is up; rejects when that one fails. Later breaks are repaired silently. */
export async function openPersistentConnection(options: PersistentConnectionOptions): Promise<PersistentConnection> {
  const stop = new AbortController()
  let current: pg.Client | undefined

  const first = await connect(options)
  current = first.client
  const running = keep(first)

  async function keep(connection: Connection): Promise<void> {
    for (let up: Connection | undefined = connection; up; up = await reconnect()) {
      current = up.client
      const beating = beat(up.client, up.ended)
      const error = await Promise.race([up.ended, aborted(stop.signal)])
      current = undefined
      options.onDown?.()
      if (error && !stop.signal.aborted) options.onError?.(error)
      await up.client.end().catch(() => undefined)
      await beating
    }
  }

  async function reconnect(): Promise<Connection | undefined> {
    const longestPause = options.longestPauseMs ?? LONGEST_PAUSE_MS
    for (let pause = FIRST_PAUSE_MS; !stop.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      try {
        return await connect(options)
      } catch (error) {
        options.onError?.(error as Error)
        await sleep(pause * (0.5 + Math.random()), undefined, { signal: stop.signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  return {
    current: () => current,
    close: async () => {
      stop.abort()
      await running
    },
  }
}

interface Connection {
  readonly client: pg.Client
  /** Resolves with the reason for the end; never rejects. */
  readonly ended: Promise<Error>
}

async function connect(options: PersistentConnectionOptions): Promise<Connection> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    keepAlive: true,
    options: DEAD_PEERS,
    types: typeParsers,
  })
  const ended = new Promise<Error>((resolve) => {
    client.on('error', resolve)
    client.on('end', () => resolve(new Error('The database closed the connection.')))
  })
  try {
    await client.connect()
    await options.onUp(client)
    return { client, ended }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

/** Sends heartbeats until the connection ends; a missing response ends it. */
async function beat(client: pg.Client, ended: Promise<Error>): Promise<void> {
  let over = false
  const end = ended.then(() => {
    over = true
  })
  while (!over) {
    const pause = new AbortController()
    await Promise.race([
      end,
      sleep(HEARTBEAT_MS, undefined, { signal: pause.signal, ref: false }).catch(() => undefined),
    ])
    pause.abort()
    if (over) return
    await client.query('select 1').catch((error: Error) => client.emit('error', error))
  }
}

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
