/**
 * Sends equal reads that wait at the same moment only once, and gives all callers the result. One change event makes
 * every open dashboard repeat the same queries. Nothing is cached: a caller joins a read only before it is sent, so it
 * sees everything that was committed before the call.
 */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { Db } from './tables.ts'

type Rows = Promise<QueryResult<unknown>>

/**
 * For reads only, and only where the rows do not depend on the caller. Callers share the rows and must not change them.
 */
export function coalesceReads(db: Db): Db {
  const underWay = new Map<string, Rows>()
  const waiting = new Map<string, Rows>()

  const send = (key: string, query: CompiledQuery): Rows => {
    const sent = db.executeQuery(query).finally(() => {
      if (underWay.get(key) === sent) underWay.delete(key)
    })
    underWay.set(key, sent)
    return sent
  }
  const read = (query: CompiledQuery): Rows => {
    const key = `${query.sql}\n${JSON.stringify(query.parameters)}`
    const before = underWay.get(key)
    if (!before) return send(key, query)
    const joined = waiting.get(key)
    if (joined) return joined
    const next = before
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key)
        return send(key, query)
      })
    waiting.set(key, next)
    return next
  }

  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => read(query) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('A stream is read by one alone: use the database itself.')
    },
  }
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOf(connection),
      createIntrospector: (on) => new PostgresIntrospector(on),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

const refuse = (): Promise<never> => Promise.reject(new Error('What is read together is not written.'))

/** The underlying database manages connections. */
const driverOf = (connection: DatabaseConnection): Driver => ({
  init: () => Promise.resolve(),
  acquireConnection: () => Promise.resolve(connection),
  releaseConnection: () => Promise.resolve(),
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  destroy: () => Promise.resolve(),
})
