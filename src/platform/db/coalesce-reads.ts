/**
 * Equal reads that wait at the same moment are sent once, and all who wait get the answer: one piece of news makes every
 * open dashboard ask the same again. Nothing is kept: a read is only joined before it is sent, so that whoever reads
 * sees all that was committed before they asked.
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

/** For reads alone, and for those whom no tenant divides: whoever asks the same gets the same rows, which nobody may change. */
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

/** Connections are the business of the database underneath. */
const driverOf = (connection: DatabaseConnection): Driver => ({
  init: () => Promise.resolve(),
  acquireConnection: () => Promise.resolve(connection),
  releaseConnection: () => Promise.resolve(),
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  destroy: () => Promise.resolve(),
})
