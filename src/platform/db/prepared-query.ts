/**
 * Queries that nearly every request sends. PostgreSQL parses each once on a connection, under a name, and may keep its
 * plan. Only for these: a plan that knows no values is worse where values decide, as in a search.
 */
import { ValueNode, type Compilable, type CompiledQuery, type Expression, type OperationNode } from 'kysely'
import type { Db } from './tables.ts'

interface Statement {
  readonly name?: string | undefined
  readonly text: string
  readonly values: unknown[]
}

/** Sends a read on connections of its own, and returns the rows. */
export type SendRead = (statement: Statement) => Promise<unknown[]>

/** One for each database with read connections. */
export const readsOf = new WeakMap<Db, SendRead>()

/**
 * Stands for a value until the query is sent. It is no value: the types refuse to compare it or to calculate with it, and
 * so does the run. Its words in the query are a parameter.
 */
export class Placeholder<T> implements Expression<T> {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  get expressionType(): T | undefined {
    return undefined
  }
  toOperationNode(): OperationNode {
    return ValueNode.create(this)
  }
  [Symbol.toPrimitive](): never {
    throw new TypeError(`${this.name} has no value while the query is built`)
  }
}

export type Places<Values> = { readonly [Name in keyof Values]-?: Placeholder<Values[Name]> }

const names = new Map<string, string>()
let named = 0
const rename = (sql: string): unknown => names.set(sql, `fixed_${++named}`)

/** The name of the prepared statement of this text. */
export const planOf = (sql: string): string | undefined => names.get(sql)

/**
 * `build` runs once, for the text, with a place for each value of `takes`. Outside of a transaction, a read goes on
 * connections of its own: it never waits for those that transactions hold.
 */
export function preparedQuery<Values extends object, Row>(
  takes: readonly (keyof Values & string)[],
  build: (db: Db, placeholders: Places<Values>) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  const compile = (db: Db): CompiledQuery<Row> =>
    build(
      db,
      Object.fromEntries(takes.map((name) => [name, new Placeholder(name)])) as unknown as Places<Values>,
    ).compile()
  return async (db, values) => {
    const query = (compiled ??= compile(db))
    const { sql } = query
    if (!names.has(sql)) rename(sql)
    const name = planOf(sql)
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? Reflect.get(values, one.name) : one))
    const sendRead = isRead(query) ? readsOf.get(db) : undefined
    const send = async (): Promise<Row[]> =>
      sendRead
        ? ((await sendRead({ name: planOf(sql), text: sql, values: parameters })) as Row[])
        : (await db.executeQuery<Row>({ ...query, parameters })).rows
    try {
      return await send()
    } catch (error) {
      if (!isStalePlanError(error)) throw error
      if (planOf(sql) === name) rename(sql)
      // An error ends its transaction, which is then retried as a whole.
      if (db.isTransaction) throw error
      return await send()
    }
  }
}

/** Takes no lock, so that it is short. */
const isRead = ({ query }: CompiledQuery): boolean => query.kind === 'SelectQueryNode' && !query.endModifiers

/** Another release, starting beside this one, changed a table under the plan. Nothing was done. */
export const isStalePlanError = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
