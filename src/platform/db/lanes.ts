/**
 * The connections of fixed queries: a few, on which one question follows the other without waiting for its answer. What
 * is asked in one turn of the event loop leaves in one write, and a plan is kept on few connections instead of many.
 * Whoever asks here waits for all who asked before: so these are short reads by index, outside of any transaction.
 */
import type { Writable } from 'node:stream'
import pg from 'pg'

/** One would do for as much as a core can ask; the second is for the moment in which the first has broken. */
const LANES = 2

export interface Lanes {
  /** `name` is what its plan is called. */
  read(question: { name: string; text: string; values: unknown[] }): Promise<unknown[]>
  /** Waits for what is under way. */
  close(): Promise<void>
}

export interface LanesOptions {
  readonly connection: pg.ClientConfig
  readonly onQuery?: ((sql: string, durationMs: number) => void) | undefined
  readonly onTrouble?: ((error: Error) => void) | undefined
}

interface Lane {
  underWay: number
  /** Until the end of this turn. */
  gathers: boolean
  client: pg.Client | undefined
  connecting: Promise<pg.Client> | undefined
}

export function openLanes({ connection, onQuery, onTrouble }: LanesOptions): Lanes {
  const lanes: Lane[] = Array.from({ length: LANES }, () => ({
    underWay: 0,
    gathers: false,
    client: undefined,
    connecting: undefined,
  }))
  let closed = false

  const connect = async (lane: Lane): Promise<pg.Client> => {
    if (closed) throw new Error('The database was closed.')
    const client = new pg.Client({ ...connection, pipeline: true })
    client.once('end', () => {
      if (lane.client === client) lane.client = undefined
    })
    client.on('error', (error) => {
      if (lane.client === client) lane.client = undefined
      onTrouble?.(error)
    })
    await client.connect()
    lane.client = client
    return client
  }
  const clientOf = (lane: Lane): pg.Client | Promise<pg.Client> =>
    lane.client ??
    (lane.connecting ??= connect(lane).finally(() => {
      lane.connecting = undefined
    }))

  return {
    async read(question) {
      const lane = lanes.reduce((best, one) => (one.underWay < best.underWay ? one : best))
      lane.underWay++
      const began = performance.now()
      try {
        const found = clientOf(lane)
        const client = found instanceof Promise ? await found : found
        gather(lane, client)
        return (await client.query(question)).rows
      } finally {
        lane.underWay--
        onQuery?.(question.text, performance.now() - began)
      }
    },
    async close() {
      closed = true
      await Promise.all(
        lanes.map(async (lane) => {
          const client = lane.client ?? (await lane.connecting?.catch(() => undefined))
          await client?.end()
        }),
      )
    },
  }
}

/** Holds back what is written until all have asked whose requests came in together: writing is what costs most. */
function gather(lane: Lane, client: pg.Client): void {
  if (lane.gathers) return
  lane.gathers = true
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  setImmediate(() => {
    lane.gathers = false
    stream.uncork()
  })
}
