/**
 * Change events between processes and to browsers. Each is a NOTIFY in the transaction that made the change, so an
 * event of a rolled-back transaction is never sent. An event says that something changed, never the new value:
 * receivers read it again.
 */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Topic } from '../kernel/change-topics.ts'
import { preparedQuery, listen, type Db, type Places, type Listening } from './db/index.ts'
import type { Log } from './log.ts'

export interface ChangeEvent {
  readonly type: Topic
  readonly id: number | null
  /** The owner; staff receive every event. Null: staff only. */
  readonly accountId: AccountId | null
}

/** Topics that every signed-in user receives, staff or not. */
export const PUBLIC_TOPICS: ReadonlySet<Topic> = new Set<Topic>(['notice'])

export const CHANGE_CHANNEL = 'longhaul_changes'

/** A newer process may publish more topics: nothing here listens for them. */
const topic = z.custom<Topic>((value) => typeof value === 'string')
const accountId = z.custom<AccountId>((value) => typeof value === 'number')
const changeEventShape = z.object({ type: topic, id: z.number().nullable(), accountId: accountId.nullable() })

export async function publish(db: Db, changeEvent: ChangeEvent): Promise<void> {
  await notify(db, { payload: JSON.stringify(changeEvent) })
}

/** Publishes many events in one statement. */
export async function publishAll(db: Db, changeEvent: readonly ChangeEvent[]): Promise<void> {
  if (changeEvent.length === 0) return
  const payloads = changeEvent.map((one) => JSON.stringify(one))
  await sql`select pg_notify(${CHANGE_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
}

const notify = preparedQuery(['payload'], (db, { payload }: Places<{ payload: string }>) => ({
  compile: () => sql`select pg_notify(${CHANGE_CHANNEL}, ${payload})`.compile(db),
}))

/** Passes the events of all processes to the bus, on a dedicated connection. */
export const listenForChanges = (url: string, bus: ChangeBus, onError?: (error: Error) => void): Promise<Listening> =>
  listen(
    url,
    CHANGE_CHANNEL,
    (payload) => bus.receive(payload),
    () => bus.resync(),
    onError,
  )

/** `resync`: events may have been missed while the connection was down. */
export type ChangeListener = (changeEvent: ChangeEvent | 'resync') => void

export interface ChangeBus {
  subscribe(listener: ChangeListener): () => void
  /** Called by the process's one listening connection. */
  receive(payload: string): void
  resync(): void
}

export function createChangeBus(log: Log): ChangeBus {
  const listeners = new Set<ChangeListener>()
  const dispatch = (changeEvent: ChangeEvent | 'resync') => {
    for (const listener of listeners) {
      try {
        listener(changeEvent)
      } catch (error) {
        log.error({ err: error }, 'a listener of the news failed')
      }
    }
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receive: (payload) => {
      try {
        dispatch(changeEventShape.parse(JSON.parse(payload)))
      } catch (error) {
        log.error({ err: error, payload }, 'news that cannot be read')
      }
    },
    resync: () => dispatch('resync'),
  }
}
