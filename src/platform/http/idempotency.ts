/**
 * `Idempotency-Key`: the same key with the same body answers what the first did. The key, what the request did and its
 * answer commit together, so a crash between effect and memory cannot happen; two at once wait for each other on the
 * primary key. Refused requests roll back and leave no key: they may be repeated.
 */
import { createHash } from 'node:crypto'
import { invalid } from '../../kernel/problem.ts'
import type { Db } from '../db/index.ts'
import '../tables.ts'

export interface Remembered {
  readonly status: number
  readonly answer: unknown
}

export interface KeyedRequest {
  /** Whose key it is: a user, or an address for anonymous calls. */
  readonly caller: string
  readonly key: string
  readonly endpoint: string
  readonly body: unknown
}

/** Claims the key inside the caller's transaction; answers what the first request answered, or null for the first. */
export async function claimKey(db: Db, request: KeyedRequest): Promise<Remembered | null> {
  if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
    throw invalid([{ field: 'Idempotency-Key', message: 'takes 1 to 255 printable ASCII characters without spaces' }])
  }
  const digest = createHash('sha256')
    .update(JSON.stringify(request.body ?? null))
    .digest()
  const claimed = await db
    .insertInto('idempotency_keys')
    .values({
      caller: request.caller,
      key: request.key,
      endpoint: request.endpoint,
      body_digest: digest,
      status: null,
      answer: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (claimed.numInsertedOrUpdatedRows === 1n) return null

  const first = await db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('caller', '=', request.caller)
    .where('key', '=', request.key)
    .executeTakeFirstOrThrow()
  if (first.endpoint !== request.endpoint || !first.body_digest.equals(digest)) {
    throw invalid([{ field: 'Idempotency-Key', message: 'was used before with another request' }])
  }
  return { status: first.status!, answer: first.answer }
}

export async function rememberAnswer(db: Db, request: KeyedRequest, answered: Remembered): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ status: answered.status, answer: JSON.stringify(answered.answer ?? null) })
    .where('caller', '=', request.caller)
    .where('key', '=', request.key)
    .execute()
}
