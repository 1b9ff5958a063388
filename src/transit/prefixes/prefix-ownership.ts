/** Who holds which space. The table's exclusion constraint is the proof; these queries say it in words beforehand. */
import { sql } from 'kysely'
import { formatPrefix, parsePrefix, samePrefix, containsPrefix, type Prefix } from '../../kernel/prefix.ts'
import { invalid, type FieldProblem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { OCCUPYING_STATUSES, STATUS_LABELS, type AnnouncementType, type PrefixStatus } from '../states.ts'
import '../tables.ts'

/** Of one customer at a time: far above what anyone asks for by hand, and it bounds the filter that one account can cause. */
const MAX_PREFIXES = 500

/** Why this customer may not request this space, or null. Another customer is never named. */
export async function overlapProblem(db: Db, userId: number, prefix: Prefix): Promise<string | null> {
  const rows = await db
    .selectFrom('transit_prefixes')
    .select(['user_id', 'value', 'status'])
    .where('status', 'in', OCCUPYING_STATUSES)
    .where(sql<boolean>`value && ${formatPrefix(prefix)}::cidr`)
    .limit(1_000)
    .execute()
  for (const row of rows) {
    const existing = parsePrefix(row.value)
    if (row.user_id === userId) {
      if (samePrefix(existing, prefix)) return ownAlready(row.status)
    } else if (samePrefix(existing, prefix)) return 'already held by another customer'
    else if (containsPrefix(existing, prefix)) return 'inside a prefix held by another customer'
    else return 'contains a prefix held by another customer'
  }
  return (await isOperatorSpace(db, prefix)) ? 'overlaps address space used by the operator' : null
}

/** The segments that routers stand on: a route to one of them would cut off the neighbours. */
async function isOperatorSpace(db: Db, prefix: Prefix): Promise<boolean> {
  const text = formatPrefix(prefix)
  const pool = await db
    .selectFrom('address_pools')
    .select('id')
    .where(sql<boolean>`prefix4 && ${text}::cidr or prefix6 && ${text}::cidr`)
    .limit(1)
    .executeTakeFirst()
  return pool !== undefined
}

const ownAlready = (status: PrefixStatus): string => `you already have this prefix: it is ${STATUS_LABELS[status]}`

export interface NewPrefix {
  readonly userId: number
  readonly prefix: Prefix
  readonly type: AnnouncementType
  readonly requestedOrigin: number | null
  readonly origin: number | null
  readonly at: Date
}

/** Takes the space, or throws 422: also when another request takes it in the same moment. */
export async function claimPrefix(db: Db, wanted: NewPrefix): Promise<{ id: number; user_id: number; value: string }> {
  const { userId, prefix } = wanted
  // One at a time: many who reach for the same corner at once would wait for each other's uncommitted rows in a ring,
  // and the database would end one of them for a deadlock instead of with words.
  await sql`select pg_advisory_xact_lock(hashtextextended('transit space', 0))`.execute(db)
  const problem = (await overlapProblem(db, userId, prefix)) ?? (await quotaProblem(db, userId))
  if (problem) throw invalid([onValue(problem)])
  const value = formatPrefix(prefix)
  try {
    const { id } = await db
      .insertInto('transit_prefixes')
      .values({
        user_id: userId,
        value,
        announcement_type: wanted.type,
        requested_origin: wanted.requestedOrigin,
        origin_asn: wanted.origin,
        created_at: wanted.at,
        check_after: wanted.at,
        membership: wanted.type === 'DOWNSTREAM' ? 'UNKNOWN' : 'NOT_NEEDED',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, user_id: userId, value }
  } catch (error) {
    const violated = (error as { constraint?: string }).constraint
    if (violated === 'transit_prefixes_no_overlap')
      throw invalid([onValue('already held, fully or partly, by another customer')])
    if (violated === 'transit_prefixes_unique') throw invalid([onValue('you already have this prefix')])
    throw error
  }
}

async function quotaProblem(db: Db, userId: number): Promise<string | null> {
  const { held: existing } = await db
    .selectFrom('transit_prefixes')
    .select((eb) => eb.fn.countAll<number>().as('held'))
    .where('user_id', '=', userId)
    .where('status', 'in', OCCUPYING_STATUSES)
    .executeTakeFirstOrThrow()
  return existing < MAX_PREFIXES ? null : `limit of ${MAX_PREFIXES} prefixes reached; contact support for more`
}

const onValue = (message: string): FieldProblem => ({ field: 'value', message })
