/** How PostgreSQL would go about what a piece of the program asks of it. */
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Db, Tables } from '../platform/db/index.ts'

export interface WatchedPlans {
  /** Whoever asks through it is watched. */
  readonly watched: Db
  /** The plans of what `ask` sends, as PostgreSQL prints them. */
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
