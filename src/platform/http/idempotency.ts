/**
 * `Idempotency-Key`: a request with the same key and body gets the first one's response. A rejected request leaves no
 * key and may be repeated.
 *
 * Usually the key, the effect and the response commit together, so a crash cannot separate them, and concurrent
 * requests wait for each other on the primary key. If the handler opens its own transactions, the key is claimed before
 * it runs and the response is stored after it. A claim is free at once when its process is no longer connected. Any
 * other claim lapses when it is older than any request takes.
 */
import { createHash } from 'node:crypto'
import { sql, type ExpressionBuilder } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { conflict, invalid } from '../../kernel/problem.ts'
import { preparedQuery, type Db, type Places, type Tables } from '../db/index.ts'
import type { Reconciler } from '../reconcile.ts'
import '../tables.ts'

export interface Remembered {
  readonly status: number
  readonly answer: unknown
}

export interface KeyedRequest {
  /** The owner of the key: a user, or an address for anonymous requests. */
  readonly caller: string
  readonly key: string
  readonly endpoint: string
  readonly body: unknown
}

/** The database keeps responses of handlers with their own transactions encrypted, because they contain secrets. */
export interface ResponseEncryption {
  close(answer: unknown): string
  open(encrypted: string): unknown
}

/** Longer than any request takes: the request that made an older claim has ended. */
const CLAIM_LAPSES = sql<Date>`now() - interval '2 minutes'`
/**
 * A connection that wrote a claim stays open for a minute while idle, and no request waits that long for an external
 * service.
 */
const OWNER_LIVES = sql<boolean>`exists (select from pg_stat_activity where application_name = owner)`
const WAIT_FOR_FIRST_MS = 10_000
const POLL_EVERY_MS = 50

/**
 * Claims the key inside the caller's transaction. Returns the first request's response, or null if this is the first.
 */
export async function claimKey(db: Db, request: KeyedRequest): Promise<Remembered | null> {
  for (;;) {
    if (await insertKey(db, request)) return null
    const first = await findKey(db, request)
    // Another request with the key was just rejected: the key is free again.
    if (first) return { status: first.status!, answer: first.answer }
  }
}

export async function rememberAnswer(db: Db, request: KeyedRequest, answered: Remembered): Promise<void> {
  const { caller, key } = request
  await writeAnswer(db, { caller, key, status: answered.status, answer: JSON.stringify(answered.answer ?? null) })
}

const writeAnswer = preparedQuery(
  ['caller', 'key', 'status', 'answer'],
  (db, { caller, key, status, answer }: Places<Named & { status: number; answer: string }>) =>
    db.updateTable('idempotency_keys').where(named({ caller, key })).set({ status, answer }),
)

/** For a handler that opens its own transactions: runs `act`, or returns the first response with this key. */
export async function answerOnce(
  db: Db,
  request: KeyedRequest,
  encryption: ResponseEncryption,
  act: () => Promise<Remembered>,
): Promise<Remembered> {
  const first = await claimOrAwait(db, request)
  if (first) return { status: first.status, answer: encryption.open(first.answer as string) }
  try {
    const done = await act()
    await rememberAnswer(db, request, { status: done.status, answer: encryption.close(done.answer) })
    return done
  } catch (error) {
    await db.deleteFrom('idempotency_keys').where(named(request)).where('status', 'is', null).execute()
    throw error
  }
}

/** Returns null once the key is claimed for this request. */
async function claimOrAwait(db: Db, request: KeyedRequest): Promise<Remembered | null> {
  const deadline = performance.now() + WAIT_FOR_FIRST_MS
  for (;;) {
    if (await insertKey(db, request)) return null
    const first = await findKey(db, request)
    // It was just rejected: the key is free again.
    if (!first) continue
    if (first.status !== null) return { status: first.status, answer: first.answer }
    if (await takeOver(db, request)) return null
    if (performance.now() > deadline)
      throw conflict('The first request with this Idempotency-Key is still in progress.', 'request_in_progress')
    await sleep(POLL_EVERY_MS)
  }
}

async function insertKey(db: Db, request: KeyedRequest): Promise<boolean> {
  if (!/^[\x21-\x7e]{1,255}$/.test(request.key)) {
    throw invalid([{ field: 'Idempotency-Key', message: 'takes 1 to 255 printable ASCII characters without spaces' }])
  }
  const { caller, key, endpoint, body } = request
  return (await insertClaim(db, { caller, key, endpoint, digest: digestOf(body) })).length === 1
}

const insertClaim = preparedQuery(
  ['caller', 'key', 'endpoint', 'digest'],
  (db, claim: Places<Named & { endpoint: string; digest: Buffer }>) =>
    db
      .insertInto('idempotency_keys')
      .values({ caller: claim.caller, key: claim.key, endpoint: claim.endpoint, body_digest: claim.digest })
      .onConflict((conflicting) => conflicting.doNothing())
      .returning('key'),
)

/** Throws 422 if the key was used with another request. */
async function findKey(db: Db, request: KeyedRequest) {
  const first = await db.selectFrom('idempotency_keys').selectAll().where(named(request)).executeTakeFirst()
  if (first && (first.endpoint !== request.endpoint || !first.body_digest.equals(digestOf(request.body)))) {
    throw invalid([{ field: 'Idempotency-Key', message: 'was used before with another request' }])
  }
  return first
}

async function takeOver(db: Db, request: KeyedRequest): Promise<boolean> {
  const taken = await db
    .updateTable('idempotency_keys')
    .where(named(request))
    .set({ created_at: sql<Date>`now()`, owner: sql<string>`current_setting('application_name')` })
    .where('status', 'is', null)
    .where((eb) => eb.or([eb('created_at', '<', CLAIM_LAPSES), eb.not(OWNER_LIVES)]))
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** Clients repeat a request within minutes. */
const RETENTION = sql<Date>`now() - interval '2 days'`

export const deleteOldKeys = ({ db }: { readonly db: Db }): Reconciler => ({
  name: 'idempotency-keys',
  due: () => Promise.resolve([0]),
  async reconcile() {
    await db.deleteFrom('idempotency_keys').where('created_at', '<', RETENTION).execute()
  },
  wakes: () => null,
  everyMs: 3_600_000,
  concurrency: 1,
})

type Named = Pick<KeyedRequest, 'caller' | 'key'>

const named =
  ({ caller, key }: Named | Places<Named>) =>
  (eb: ExpressionBuilder<Tables, 'idempotency_keys'>) =>
    eb.and({ caller, key })

/** A body that was left out is an empty object. */
const digestOf = (body: unknown = {}): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null, inKeyOrder))
    .digest()

/** Object members are unordered (RFC 8259 section 4): the same members in another order are the same request. */
const inKeyOrder = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
