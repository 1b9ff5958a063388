/** A database handle for work under a lease. The server checks every write against the lease, until it is committed. */
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Database } from '../db/database.ts'
import { readsOf } from '../db/prepared-query.ts'
import type { Db, Tables } from '../db/index.ts'
import { MOST_SKEW_MS } from './clock-skew.ts'
import { currentLease } from './context.ts'
import { LeaseLostError, type Lease } from './lease.ts'

/**
 * FOR KEY SHARE until the end of the transaction. A takeover changes `epoch`, a key column, so it either waits for the
 * transaction or comes first; a renewal does not wait. The settings end with the transaction. The server disconnects a
 * holder that froze in the middle of it, and the next holder knows the names of its sessions.
 */
const FENCE = `select set_config('idle_in_transaction_session_timeout', '5s', true),
    set_config('application_name', $4, true)
  from leases
  where key = $1 and holder = $2 and epoch = $3::bigint and expires_at > clock_timestamp()
    and abs(extract(epoch from clock_timestamp() - $5::timestamptz)) <= ${MOST_SKEW_MS / 1_000}
  for key share`

/** The application name of a holder's sessions. PostgreSQL keeps 63 bytes. */
export const fencedSessionOf = (holder: string): string => `longhaul lease ${holder.slice(-32)}`

/** A second handle on the same pool. A write through it fails without a lease. */
export function fencedDb(database: Database, clock: Clock): Db {
  const dialect = new PostgresDialect({ pool: database.pool })
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new FencedDriver(dialect.createDriver(), clock),
      createIntrospector: (of) => dialect.createIntrospector(of),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
    ...(database.onQuery && {
      log: (event) => database.onQuery!(event.query.sql, event.queryDurationMillis),
    }),
  })
  const reads = readsOf.get(database.db)
  if (reads) readsOf.set(db, reads)
  return db
}

class FencedDriver implements Driver {
  readonly #driver: Driver
  readonly #clock: Clock
  readonly #wrapped = new WeakMap<DatabaseConnection, FencedConnection>()

  constructor(driver: Driver, clock: Clock) {
    this.#driver = driver
    this.#clock = clock
  }

  init(): Promise<void> {
    return this.#driver.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const plain = await this.#driver.acquireConnection()
    const known = this.#wrapped.get(plain)
    if (known) return known
    const wrapped = new FencedConnection(plain, (settings, work) => this.#inOwnTransaction(plain, settings, work))
    this.#wrapped.set(plain, wrapped)
    return wrapped
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const fenced = connection as FencedConnection
    await this.#begin(fenced.plain, settings)
    fenced.inTransaction = true
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const fenced = connection as FencedConnection
    fenced.inTransaction = false
    await this.#driver.commitTransaction(fenced.plain)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const fenced = connection as FencedConnection
    fenced.inTransaction = false
    await this.#driver.rollbackTransaction(fenced.plain)
  }

  savepoint(connection: DatabaseConnection, ...rest: [string, never]): Promise<void> {
    return this.#driver.savepoint!((connection as FencedConnection).plain, ...rest)
  }

  rollbackToSavepoint(connection: DatabaseConnection, ...rest: [string, never]): Promise<void> {
    return this.#driver.rollbackToSavepoint!((connection as FencedConnection).plain, ...rest)
  }

  releaseSavepoint(connection: DatabaseConnection, ...rest: [string, never]): Promise<void> {
    return this.#driver.releaseSavepoint!((connection as FencedConnection).plain, ...rest)
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#driver.releaseConnection((connection as FencedConnection).plain)
  }

  /** The other handle owns the pool. */
  async destroy(): Promise<void> {}

  async #begin(plain: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const lease = currentLease()
    if (!lease) throw new LeaseLostError('none')
    lease.assertHeld()
    await this.#driver.beginTransaction(plain, settings)
    if (settings.accessMode === 'read only') return
    try {
      await fence(plain, lease, this.#clock)
    } catch (error) {
      await this.#driver.rollbackTransaction(plain).catch(() => undefined)
      throw error
    }
  }

  async #inOwnTransaction<T>(
    plain: DatabaseConnection,
    settings: TransactionSettings,
    work: () => Promise<T>,
  ): Promise<T> {
    await this.#begin(plain, settings)
    try {
      const result = await work()
      await this.#driver.commitTransaction(plain)
      return result
    } catch (error) {
      await this.#driver.rollbackTransaction(plain).catch(() => undefined)
      throw error
    }
  }
}

class FencedConnection implements DatabaseConnection {
  readonly plain: DatabaseConnection
  inTransaction = false
  readonly #alone: <T>(settings: TransactionSettings, work: () => Promise<T>) => Promise<T>

  constructor(
    plain: DatabaseConnection,
    alone: <T>(settings: TransactionSettings, work: () => Promise<T>) => Promise<T>,
  ) {
    this.plain = plain
    this.#alone = alone
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const ask = (): Promise<QueryResult<R>> => this.plain.executeQuery<R>(query)
    return this.inTransaction || onlyReads(query) ? ask() : this.#alone({}, ask)
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.plain.streamQuery<R>(query, chunkSize)
  }
}

/** Raw SQL may write anything. */
const onlyReads = ({ query }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' && query.from !== undefined && !query.endModifiers && !query.with

async function fence(plain: DatabaseConnection, lease: Lease, clock: Clock): Promise<void> {
  const { key, holder, epoch } = lease
  const { rows } = await plain.executeQuery(
    CompiledQuery.raw(FENCE, [key, holder, epoch, fencedSessionOf(holder), clock.now().toISOString()]),
  )
  if (rows.length === 0) throw new LeaseLostError(key)
}
