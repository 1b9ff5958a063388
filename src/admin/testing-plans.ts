/** Records the PostgreSQL query plans of a piece of code. */
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db, Tables } from '../platform/db/index.ts'

export interface WatchedPlans {
  /** Queries sent through it are recorded. */
  readonly watched: Db
  /** Returns the plans of the queries that `ask` sends, as PostgreSQL prints them. */
  readonly plansOf: (ask: () => Promise<unknown>) => Promise<string>
}

export function watchPlans(pool: pg.Pool): WatchedPlans {
  const asked: CompiledQuery[] = []
  const watched = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push(query),
  })
  const plansOf = async (ask: () => Promise<unknown>): Promise<string> => {
    asked.length = 0
    await ask()
    const plans: string[] = []
    for (const { sql: text, parameters } of asked.slice()) {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...parameters])
      plans.push(...rows.map((row) => row['QUERY PLAN']))
    }
    return plans.join('\n')
  }
  return { watched, plansOf }
}
