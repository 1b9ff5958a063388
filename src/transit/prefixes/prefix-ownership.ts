/** Which customer holds which space. The table's exclusion constraint enforces it; these queries explain conflicts beforehand. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { formatPrefix, parsePrefix, samePrefix, containsPrefix, type Prefix } from '../../kernel/prefix.ts'
import { invalid, tooMany, type FieldProblem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { OCCUPYING_STATUSES, STATUS_LABELS, type AnnouncementType, type PrefixStatus } from '../states.ts'
import type { Policy } from '../evidence/policy.ts'
import { readPolicy } from '../evidence/policy-store.ts'
import { requireBelowQuota } from './quota.ts'
import '../tables.ts'

/** The condition of the exclusion constraint `transit_prefixes_no_overlap`. An unproven request keeps nobody out. */
const CLOSES_SPACE = sql<boolean>`(status = 'APPROVED' or (proven and status in ('PENDING', 'NEEDS_ACTION', 'SUSPENDED')))`

export async function isHeldByAnother(db: Db, accountId: AccountId, prefix: Prefix): Promise<boolean> {
  const found = await db
    .selectFrom('transit_prefixes')
    .select('id')
    .where('account_id', '!=', accountId)
    .where(CLOSES_SPACE)
    .where(sql<boolean>`value && ${formatPrefix(prefix)}::cidr`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * One claim at a time. Otherwise concurrent claims of the same space would wait for each other's uncommitted rows. The
 * database would then end one with a deadlock instead of a readable error.
 */
export const lockSpace = (db: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('transit space', 0))`.execute(db)

/** Returns why this customer may not request this space, or null. Never names another customer. */
export async function overlapProblem(db: Db, accountId: AccountId, prefix: Prefix): Promise<string | null> {
  const rows = await db
    .selectFrom('transit_prefixes')
    .select(['account_id', 'value', 'status'])
    .where('status', 'in', OCCUPYING_STATUSES)
    .where((eb) => eb.or([eb('account_id', '=', accountId), CLOSES_SPACE]))
    .where(sql<boolean>`value && ${formatPrefix(prefix)}::cidr`)
    // Other customers first, because the customer's own prefixes may be many.
    .orderBy(sql`account_id = ${accountId}`)
    .limit(1_000)
    .execute()
  for (const row of rows) {
    const existing = parsePrefix(row.value)
    if (row.account_id === accountId) {
      if (samePrefix(existing, prefix)) return ownAlready(row.status)
    } else if (samePrefix(existing, prefix)) return 'already held by another customer'
    else if (containsPrefix(existing, prefix)) return 'inside a prefix held by another customer'
    else return 'contains a prefix held by another customer'
  }
  return (await isOperatorSpace(db, prefix)) ? 'overlaps address space used by the operator' : null
}

/** The operator's router segments. A route to one of them would cut off its neighbors. */
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
  readonly accountId: AccountId
  readonly prefix: Prefix
  readonly type: AnnouncementType
  readonly requestedOrigin: number | null
  readonly origin: number | null
  readonly at: Date
}

/** Claims the space, or throws 422, also when a concurrent request claims it first. */
export async function claimPrefix(
  db: Db,
  wanted: NewPrefix,
): Promise<{ id: number; account_id: AccountId; value: string }> {
  const { accountId, prefix } = wanted
  await lockSpace(db)
  const policy = await readPolicy(db)
  const problem = (await overlapProblem(db, accountId, prefix)) ?? sizeProblem(policy, prefix)
  if (problem) throw invalid([onValue(problem)])
  await requireBelowQuota(db, accountId, policy)
  await requireBelowRate(db, accountId, policy, wanted.at)
  const value = formatPrefix(prefix)
  try {
    const { id } = await db
      .insertInto('transit_prefixes')
      .values({
        account_id: accountId,
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
    return { id, account_id: accountId, value }
  } catch (error) {
    const violated = (error as { constraint?: string }).constraint
    if (violated === 'transit_prefixes_no_overlap')
      throw invalid([onValue('already held, fully or partly, by another customer')])
    if (violated === 'transit_prefixes_unique') throw invalid([onValue('you already have this prefix')])
    throw error
  }
}

/** Nobody needs to request half of the Internet, and staff would have to look at it. */
export function sizeProblem({ shortest4, shortest6 }: Policy, { family, length }: Prefix): string | null {
  const shortest = family === 4 ? shortest4 : shortest6
  return length >= shortest
    ? null
    : `shorter than /${shortest}, the shortest IPv${family} prefix that can be requested; contact support for more`
}

async function requireBelowRate(db: Db, accountId: AccountId, { requestsPerHour }: Policy, at: Date): Promise<void> {
  const { recent, oldest } = await db
    .selectFrom('transit_prefixes')
    .select((eb) => [eb.fn.countAll<number>().as('recent'), eb.fn.min('created_at').as('oldest')])
    .where('account_id', '=', accountId)
    .where('created_at', '>', new Date(at.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  if (recent < requestsPerHour) return
  const seconds = Math.ceil((oldest!.getTime() + HOUR_MS - at.getTime()) / 1000)
  throw tooMany(
    `You requested ${recent} prefixes within an hour; the limit is ${requestsPerHour}. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    Math.max(1, seconds),
  )
}

const HOUR_MS = 3_600_000

const onValue = (message: string): FieldProblem => ({ field: 'value', message })
