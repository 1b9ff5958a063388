/**
 * Prepared statements for queries that nearly every request sends. PostgreSQL parses each once per connection and may
 * keep its plan. Use them only for such queries: where the values decide, as in a search, a generic plan is worse.
 */
import { ValueNode, type Compilable, type CompiledQuery, type Expression, type OperationNode } from 'kysely'
import type { Db } from './tables.ts'

interface Statement {
  readonly name?: string | undefined
  readonly text: string
  readonly values: unknown[]
}

/** Sends a read on separate connections, and returns the rows. */
export type SendRead = (statement: Statement) => Promise<unknown[]>

/** One entry for each database with read connections. */
export const readsOf = new WeakMap<Db, SendRead>()

/**
 * Replaces a value until the query is sent; in the SQL it becomes a parameter. Comparing it or calculating with it is
 * an error, both in the types and at run time.
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

/** Returns the name of the prepared statement with this text. */
export const planOf = (sql: string): string | undefined => names.get(sql)

/**
 * `build` runs once, to create the text, with a placeholder for each value of `takes`. Outside a transaction, a read
 * uses separate connections: it never waits for those that transactions hold.
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
      // An error aborts its transaction, which is then retried as a whole.
      if (db.isTransaction) throw error
      return await send()
    }
  }
}

/** Returns whether the query takes no lock, and so is short. */
const isRead = ({ query }: CompiledQuery): boolean => query.kind === 'SelectQueryNode' && !query.endModifiers

/** Another release, starting in parallel, changed a table that the plan uses. The query had no effect. */
export const isStalePlanError = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
