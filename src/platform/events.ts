/**
 * News between processes and to browsers: a NOTIFY in the transaction that made it, so nobody hears of what was
 * rolled back. News says that something changed, never what it became: whoever cares reads it again.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Noun } from '../kernel/news.ts'
import { fixedQuery, listen, type Db, type Places, type Listening } from './db/index.ts'
import type { Log } from './log.ts'

export interface News {
  readonly type: Noun
  readonly id: number | null
  /** Whose it is; staff hear everything. Null concerns staff alone. */
  readonly userId: number | null
}

/** Nouns that concern whoever is signed in, staff or not. */
export const EVERYBODYS_NEWS: ReadonlySet<Noun> = new Set<Noun>(['notice'])

export const NEWS_CHANNEL = 'longhaul_news'

/** A newer process may speak of more: nobody here waits for that. */
const noun = z.custom<Noun>((value) => typeof value === 'string')
const newsShape = z.object({ type: noun, id: z.number().nullable(), userId: z.number().nullable() })

export async function publish(db: Db, news: News): Promise<void> {
  await notify(db, { payload: JSON.stringify(news) })
}

/** Of many at once, in one statement. */
export async function publishAll(db: Db, news: readonly News[]): Promise<void> {
  if (news.length === 0) return
  const payloads = news.map((one) => JSON.stringify(one))
  await sql`select pg_notify(${NEWS_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
}

const notify = fixedQuery(['payload'], (db, { payload }: Places<{ payload: string }>) => ({
  compile: () => sql`select pg_notify(${NEWS_CHANNEL}, ${payload})`.compile(db),
}))

/** Feeds the bus what all processes publish, on a connection of its own. */
export const hearNews = (url: string, bus: NewsBus, onTrouble?: (error: Error) => void): Promise<Listening> =>
  listen(
    url,
    NEWS_CHANNEL,
    (payload) => bus.receive(payload),
    () => bus.resync(),
    onTrouble,
  )

/** `resync`: news may have been missed while the connection was away. */
export type NewsListener = (news: News | 'resync') => void

export interface NewsBus {
  subscribe(listener: NewsListener): () => void
  /** Fed by the process's one listening connection. */
  receive(payload: string): void
  resync(): void
}

export function createNewsBus(log: Log): NewsBus {
  const listeners = new Set<NewsListener>()
  const tell = (news: News | 'resync') => {
    for (const listener of listeners) {
      try {
        listener(news)
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
        tell(newsShape.parse(JSON.parse(payload)))
      } catch (error) {
        log.error({ err: error, payload }, 'news that cannot be read')
      }
    },
    resync: () => tell('resync'),
  }
}
