/**
 * `Idempotency-Key`: the same key with the same body answers what the first did. Refused requests leave no key: they
 * may be repeated.
 *
 * Usually the key, what the request did and its answer commit together, so a crash between effect and memory cannot
 * happen; two at once wait for each other on the primary key. Where the handler opens its transactions itself, the key
 * is claimed before and answered after it. The claim of a process that is no longer connected is free at once, any other
 * lapses when it is older than any call takes.
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

/** Answers hold secrets where the handler opens its transactions itself: the database keeps them sealed. */
export interface ResponseEncryption {
  close(answer: unknown): string
  open(encrypted: string): unknown
}

/** Longer than any call takes; whoever claimed it before that is gone. */
const CLAIM_LAPSES = sql<Date>`now() - interval '2 minutes'`
/** A connection that wrote a claim stays open for a minute though nobody uses it, and no call waits for the outside as long. */
const OWNER_LIVES = sql<boolean>`exists (select from pg_stat_activity where application_name = owner)`
const WAIT_FOR_FIRST_MS = 10_000
const POLL_EVERY_MS = 50

/** Claims the key inside the caller's transaction; answers what the first request answered, or null for the first. */
export async function claimKey(db: Db, request: KeyedRequest): Promise<Remembered | null> {
  for (;;) {
    if (await insertKey(db, request)) return null
    const first = await findKey(db, request)
    // Another call that used it was refused in this moment: the key is free again.
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

/** For a handler that opens its transactions itself: runs `act`, or answers what the first request with this key did. */
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

/** Null: the key is claimed for this request. */
async function claimOrAwait(db: Db, request: KeyedRequest): Promise<Remembered | null> {
  const deadline = performance.now() + WAIT_FOR_FIRST_MS
  for (;;) {
    if (await insertKey(db, request)) return null
    const first = await findKey(db, request)
    // It was refused in this moment: the key is free again.
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

/** Throws 422 when the key was used with another request. */
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

const digestOf = (body: unknown): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null, inKeyOrder))
    .digest()

/** The members of an object have no order (RFC 8259 section 4): a client that writes them in another one says the same. */
const inKeyOrder = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
