/** Sends a query through the database to the process that drives an edge, and waits for the answer: decision 40. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { take, type Limit } from '../../accounts/index.ts'
import { tooMany, unavailable } from '../../kernel/problem.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { TransitDeps } from '../deps.ts'
import { troubleKind } from '../edges/edge-assignment.ts'
import type { AnswerTo, EdgeQuestion } from './question.ts'
import '../tables.ts'

const ANSWER_WITHIN_MS = 8_000
const POLL_EVERY_MS = 400
/** For each edge: more would delay its answers to everybody. */
const MAX_WAITING = 20
/** For each account. A screen sends three at once, and one account must not occupy a slow edge. */
const MAX_WAITING_OF_ACCOUNT = 6
/** For each account, staff included: thirty at once, then one every two seconds. */
const LIMIT: Limit = { name: 'edge-questions', burst: 30, refillMs: 2_000 }

/** `known: false`: the edge is unreachable. The error suits both customers and staff. */
export type Asked<Q extends EdgeQuestion> =
  | { readonly known: true; readonly at: Date; readonly answer: AnswerTo<Q> }
  | { readonly known: false; readonly error: string }

/** Throws 429 when the account sent too many queries, and 503 when too many wait for this edge. */
export async function askEdge<Q extends EdgeQuestion>(
  { db, bus, clock }: Pick<TransitDeps, 'db' | 'bus' | 'clock'>,
  { edgeId, accountId, question }: { edgeId: number; accountId: AccountId; question: Q },
): Promise<Asked<Q>> {
  if (!(await isDriven(db, edgeId))) return { known: false, error: 'The edge is not connected.' }
  if (!(await take(db, LIMIT, String(accountId), clock.now())))
    throw tooMany('Too many lookups. Wait two seconds and try again.', LIMIT.refillMs / 1000)
  const deadline = performance.now() + ANSWER_WITHIN_MS
  let ring: () => void = () => undefined
  let id: number | null = null
  const unsubscribe = bus.subscribe((event) => {
    if (event === 'resync' || (event.type === 'edge_answer' && event.id === id)) ring()
  })
  try {
    id = await inTransaction(db, (on) => writeQuestion(on, { edgeId, accountId, question }))
    for (;;) {
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      const row = await db.selectFrom('edge_questions').select('answer').where('id', '=', id).executeTakeFirst()
      if (row?.answer) {
        const { error, value } = row.answer
        return error === null ? { known: true, at: clock.now(), answer: value as AnswerTo<Q> } : { known: false, error }
      }
      const left = deadline - performance.now()
      if (left <= 0) return { known: false, error: 'The edge did not answer in time.' }
      await Promise.race([rung, sleepFor(Math.min(POLL_EVERY_MS, left))])
    }
  } finally {
    unsubscribe()
    if (id !== null) await db.deleteFrom('edge_questions').where('id', '=', id).execute()
  }
}

async function writeQuestion(
  db: Db,
  { edgeId, accountId, question }: { edgeId: number; accountId: AccountId; question: EdgeQuestion },
): Promise<number> {
  // Removes queries whose process ended while it waited.
  await db
    .deleteFrom('edge_questions')
    .where('asked_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute()
  // One at a time, so that concurrent queries are all counted.
  await sql`select pg_advisory_xact_lock(hashtextextended('longhaul edge questions', ${edgeId}))`.execute(db)
  const { waiting, own } = await db
    .selectFrom('edge_questions')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .select((eb) => eb.fn.countAll<number>().filterWhere('account_id', '=', accountId).as('own'))
    .where('edge_id', '=', edgeId)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(own) >= MAX_WAITING_OF_ACCOUNT) throw tooMany('Too many lookups at once. Wait for their answers.', 2)
  if (Number(waiting) >= MAX_WAITING) throw unavailable('Many are asking this edge. Try again in a moment.', 2)
  const { id } = await db
    .insertInto('edge_questions')
    .values({ edge_id: edgeId, account_id: accountId, question: JSON.stringify(question) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publish(db, { type: 'edge_question', id: Number(id), accountId: null })
  return Number(id)
}

async function isDriven(db: Db, edgeId: number): Promise<boolean> {
  const edge = await db
    .selectFrom('transit_edges as edge')
    .select(troubleKind('edge').as('trouble'))
    .where('edge.id', '=', edgeId)
    .executeTakeFirst()
  return edge !== undefined && edge.trouble !== 'no_agent'
}

const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
