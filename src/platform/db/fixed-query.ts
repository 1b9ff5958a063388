/**
 * Queries that nearly every request asks. Their words never change, so each is built once here and planned once on a
 * connection of PostgreSQL; what differs is put in its places. For those alone: a plan that knows no values is worse
 * where values decide, as in a search.
 */
import type { Compilable, CompiledQuery } from 'kysely'
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

/** Of each database that has lanes. */
export const lanesOf = new WeakMap<Db, Lanes>()

/** What a plan is called on every connection, by the words that it is made of. */
const plans = new Map<string, string>()
let named = 0
const planAnew = (sql: string): unknown => plans.set(sql, `fixed_${++named}`)
export const planOf = (sql: string): string | undefined => plans.get(sql)

/**
 * `build` is run once, by whoever asks first, and sees each of `values` as a place to be filled. Outside of a transaction
 * what it reads must be short; what it writes says `returning` if anybody wants to know.
 */
export function fixedQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    const query = (compiled ??= build(db, places as Values).compile())
    const { sql } = query
    if (!plans.has(sql)) planAnew(sql)
    const plan = plans.get(sql)!
    const parameters = query.parameters.map((one) => (one instanceof Place ? Reflect.get(values, one.name) : one))
    const lanes = isRead(query) ? lanesOf.get(db) : undefined
    const ask = async (): Promise<Row[]> =>
      lanes
        ? ((await lanes.read({ name: plans.get(sql)!, text: sql, values: parameters })) as Row[])
        : (await db.executeQuery<Row>({ ...query, parameters })).rows
    try {
      return await ask()
    } catch (error) {
      if (!isOutlivedPlan(error)) throw error
      if (plans.get(sql) === plan) planAnew(sql)
      // A transaction is over with its first error: it begins anew as a whole.
      if (db.isTransaction) throw error
      return await ask()
    }
  }
}

/** And takes no lock: whoever waited for one would hold up all others of the lane. */
const isRead = ({ query }: CompiledQuery): boolean => query.kind === 'SelectQueryNode' && !query.endModifiers

/** A newer release, starting beside this one, has changed a table under the plan: nothing was done. */
export const isOutlivedPlan = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery'
