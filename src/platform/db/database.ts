import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { DEAD_PEERS } from './dead-peers.ts'
import { planOf, readsOf } from './prepared-query.ts'
import type { Tables } from './tables.ts'
import { typeParsers } from './type-parsers.ts'

/** A query that holds its locks longer than this hurts other callers more than its own. */
const STATEMENT_TIMEOUT_MS = 30_000
/** A process that left a transaction open must not hold back vacuum and locks forever. */
const IDLE_IN_TRANSACTION_MS = 60_000
/** The server normally applies its own timeout first; this margin is for a server that no longer answers at all. */
const SILENCE_MARGIN_MS = 5_000

/** For short reads by index. More connections cache more plans, and one core cannot send queries faster. */
const READ_CONNECTIONS = 4

export interface DatabaseOptions {
  /** `postgres://…`; the handle of the embedded server has one. */
  readonly url: string
  /**
   * Called for each query as it ends, including failed ones: SQL with placeholders, and milliseconds on the connection.
   */
  readonly onQuery?: (sql: string, durationMs: number) => void
  /** Called when an idle connection breaks, for the log. The pool replaces it automatically. */
  readonly onError?: (error: Error) => void
  /** The maximum number of connections. Default 16. */
  readonly poolSize?: number
  /** The time in milliseconds that a statement may take; 0 for no limit. Default 30 s. */
  readonly statementTimeoutMs?: number
  /**
   * Shown in `pg_stat_activity`, where it shows that this process is alive. Default `longhaul` and eight random
   * characters.
   */
  readonly applicationName?: string
}

export interface Database {
  readonly db: Kysely<Tables>
  readonly pool: pg.Pool
  readonly url: string
  readonly onQuery: DatabaseOptions['onQuery']
  /** Waits for running queries, then closes every connection. It may be called twice. */
  readonly close: () => Promise<void>
}

/** Uses prepared statements for prepared queries, also within a transaction. */
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
  // A server that shuts down after us may report that on closing connections: ignore it.
  let closing: Promise<unknown> | undefined
  // Without a listener an idle connection that breaks would end the process.
  const onError = (error: Error): void => void (closing ?? options.onError?.(error))
  pool.on('error', onError)
  // The pool listens only to idle connections. Without this, one that breaks between two queries of a transaction would
  // also end the process. The next query on it reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined))

  const { onQuery } = options
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: (event) => onQuery(event.query.sql, event.queryDurationMillis) }),
  })
  // A separate pool: a read in the middle of a transaction would otherwise wait for a connection while holding one.
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
