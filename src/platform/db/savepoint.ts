import { sql } from 'kysely'
import { Problem } from '../../kernel/problem.ts'
import type { Db } from './tables.ts'

/**
 * Runs one part of a request that can fail on its own: an error undoes only this part, even if the database raised it.
 */
export async function inSavepoint<T>(db: Db, work: () => Promise<T>): Promise<T | Problem> {
  await sql`savepoint part`.execute(db)
  try {
    const result = await work()
    await sql`release savepoint part`.execute(db)
    return result
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint part`.execute(db)
    await sql`release savepoint part`.execute(db)
    return error
  }
}
