/**
 * Queries that nearly every request asks. Their words never change, so each is built once here and planned once on a
 * connection of PostgreSQL; what differs is put in its places. For those alone: a plan that knows no values is worse
 * where values decide, as in a search.
 */
import type { Compilable, CompiledQuery } from 'kysely'
import type { FixedStatement } from './fixed-read.ts'
import type { Db } from './index.ts'
import type { Lanes } from './lanes.ts'

/** Stands for a value until there is one. */
class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) })

/** Of each database that has lanes for them. */
export const lanesOf = new WeakMap<Db, Lanes>()

let named = 0
const nameAnew = (sql: string): FixedStatement => ({ sql, name: `fixed_${++named}`, columns: new WeakMap() })

/** `build` is run once, by whoever asks first, and sees each of `values` as a place to be filled. */
export function fixedQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  let statement: FixedStatement | undefined
  return async (db, values) => {
    compiled ??= build(db, places as Values).compile()
    const query = compiled
    const parameters = query.parameters.map((one) => (one instanceof Place ? Reflect.get(values, one.name) : one))
    const lanes = lanesOf.get(db)
    // In a transaction, and where nobody has lanes.
    if (!lanes) return (await db.executeQuery<Row>({ ...query, parameters })).rows
    const asked = (statement ??= nameAnew(query.sql))
    try {
      return (await lanes.read(asked, parameters)) as Row[]
    } catch (error) {
      if (!isOutlivedPlan(error)) throw error
      if (statement === asked) statement = nameAnew(query.sql)
      return (await lanes.read(statement, parameters)) as Row[]
    }
  }
}

/** A newer release, starting beside this one, has changed a table under the plan: nothing was done. */
const isOutlivedPlan = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
