import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DEAD_PEERS } from './dead-peers.ts'
import { planOf, readsOf } from './prepared-query.ts'
import type { Tables } from './tables.ts'
import { typeParsers } from './type-parsers.ts'

/** A query that holds its locks longer than this hurts everybody else more than its caller. */
const STATEMENT_TIMEOUT_MS = 30_000
/** A process that forgot its transaction must not hold back vacuum and locks for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000
/** The server answers its own timeout first; this one is for a server that no longer answers at all. */
const SILENCE_MARGIN_MS = 5_000

/** For short reads by index. More keep more plans, and one core cannot ask faster. */
const READ_CONNECTIONS = 4

export interface DatabaseOptions {
  /** `postgres://…`; the embedded server's handle has one. */
  readonly url: string
  /** Each query as it ends, also a failed one: SQL with placeholders, and milliseconds on the connection. */
  readonly onQuery?: (sql: string, durationMs: number) => void
  /** A connection that broke while nobody used it. The pool replaces it by itself; this is for the log. */
  readonly onError?: (error: Error) => void
  /** Connections at most. Default 16. */
  readonly poolSize?: number
  /** Milliseconds that a statement may take, 0 for as long as it wants. Default 30 s. */
  readonly statementTimeoutMs?: number
  /** Shown in `pg_stat_activity`, where it tells that this process lives. Default `longhaul` and eight characters of its own. */
  readonly applicationName?: string
}

export interface Database {
  readonly db: Kysely<Tables>
  readonly pool: pg.Pool
  readonly url: string
  readonly onQuery: DatabaseOptions['onQuery']
  /** Waits for queries under way, then closes every connection. Closing twice is fine. */
  readonly close: () => Promise<void>
}

/** Knows fixed queries by their words, also in the middle of a transaction. */
class PlanningClient extends pg.Client {
  override query(...asked: unknown[]): never {
    const [text, values] = asked
    const name = typeof text === 'string' ? planOf(text) : undefined
    const planned = name === undefined ? asked : [{ name, text, values }]
    return super.query(...(planned as [never])) as never
  }
}

/** Opens a pool; the first query makes the first connection. */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const connection = {
    connectionString: options.url,
    application_name: options.applicationName ?? `longhaul ${randomBytes(4).toString('hex')}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: DEAD_PEERS,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MARGIN_MS }),
    types: typeParsers,
  }
  const pool = new pg.Pool({
    ...connection,
    Client: PlanningClient,
    max: options.poolSize ?? 16,
    idleTimeoutMillis: 60_000,
  })
  // A server that ends after us may say so to connections that are about to end: no trouble.
  let closing: Promise<unknown> | undefined
  // Without a listener an idle connection that breaks would end the process.
  const onError = (error: Error): void => void (closing ?? options.onError?.(error))
  pool.on('error', onError)
  // The pool listens only to those that nobody uses. One that breaks between two queries of a transaction would end
  // the process as well; the next query on it says that it is gone.
  pool.on('connect', (client) => client.on('error', () => undefined))

  const { onQuery } = options
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: (event) => onQuery(event.query.sql, event.queryDurationMillis) }),
  })
  // Of their own: who reads in the middle of a transaction would else wait for a connection while holding one.
  const reads = new pg.Pool({ ...connection, max: READ_CONNECTIONS, idleTimeoutMillis: 60_000 })
  reads.on('error', onError)
  readsOf.set(db, async (statement) => {
    const began = performance.now()
    try {
      return (await reads.query(statement)).rows
    } finally {
      onQuery?.(statement.text, performance.now() - began)
    }
  })
  const close = async (): Promise<void> => void (await (closing ??= Promise.all([reads.end(), db.destroy()])))
  return { db, pool, url: options.url, onQuery, close }
}
