import type { IsolationLevel, Transaction } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, CommitUnanswered, isDatabaseUnavailable } from './unavailable.ts'
import { isStalePlanError } from './prepared-query.ts'
import type { Db, Tables } from './tables.ts'

export interface TransactionOptions {
  /** Default `read committed`. */
  readonly isolation?: IsolationLevel
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const ATTEMPTS = 6

/**
 * Runs `work` in one transaction. It runs it again from the start when the database aborts it in a deadlock or
 * serialization conflict, or a table changed under a prepared query. `work` must therefore do nothing outside the
 * database. Inside a transaction it joins that one, because only the whole can be retried.
 */
export async function inTransaction<T>(
  db: Db,
  work: (transaction: Transaction<Tables>) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  if (isTransaction(db)) return work(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(db, work, options)
    } catch (error) {
      if (attempt === ATTEMPTS || !isConflict(error)) throw error
      // Random, or the same two would collide again.
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** Fails with the first error: on a broken connection the rollback fails as well, with a less useful one. */
async function runOnce<T>(
  db: Db,
  work: (transaction: Transaction<Tables>) => Promise<T>,
  { isolation }: TransactionOptions,
): Promise<T> {
  let first: { readonly error: unknown } | undefined
  let committing = false
  const builder = isolation ? db.transaction().setIsolationLevel(isolation) : db.transaction()
  try {
    return await builder.execute(async (transaction) => {
      try {
        const result = await work(transaction)
        committing = true
        return result
      } catch (error) {
        first = { error }
        throw error
      }
    })
  } catch (error) {
    if (committing && isDatabaseUnavailable(error)) throw new CommitUnanswered(error)
    throw first ? first.error : error
  }
}

const isTransaction = (db: Db): db is Transaction<Tables> => db.isTransaction

function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || isStalePlanError(error)
}
