/** Users for staff: pages by keyset, batches by id. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { holdersOf, suspendedByStaff } from '../../accounts/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { SortKey } from '../../platform/graphql/builder.ts'
import { readAsn, searchPatterns } from '../../platform/search-words.ts'
import { countOf } from '../../platform/row-counts.ts'

export interface UserRecord {
  readonly id: UserId
  readonly accountId: AccountId
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly company: string | null
  readonly isAdmin: boolean
  readonly createdAt: Date
  readonly lastSignInAt: Date | null
  readonly lastSignInIp: string | null
  readonly hasVerifiedEmail: boolean
  readonly hasValidPaymentMethod: boolean
  readonly isSuspendedByStaff: boolean
  readonly isSuspendedForDebt: boolean
}

export interface UserFilter {
  readonly since?: Date | undefined
  /** Only users who can be charged. */
  readonly wantsCustomers?: boolean | undefined
  /** Only suspended users, whether by staff or for an unpaid invoice. */
  readonly suspended?: boolean | undefined
  /** Words of the name, address or company, or an ASN. */
  readonly search?: string | undefined
}

/**
 * A search counts up to this and stops: nobody reads further, and counting all matches of a common word takes a
 * second.
 */
export const SEARCH_COUNT_CAP = 1_000

const columns = [
  'user.id',
  'user.account_id as accountId',
  'user.email',
  'user.first_name as firstName',
  'user.last_name as lastName',
  'user.company',
  'user.is_admin as isAdmin',
  'user.created_at as createdAt',
  'user.last_sign_in_at as lastSignInAt',
  'user.is_customer as hasValidPaymentMethod',
] as const

const computed = [
  sql<string | null>`host("user".last_sign_in_ip)`.as('lastSignInIp'),
  sql<boolean>`"user".email_verified_at is not null`.as('hasVerifiedEmail'),
  suspendedByStaff('user.account_id').as('isSuspendedByStaff'),
  sql<boolean>`exists (select from account_billing_status status
    where status.account_id = "user".account_id and status.suspended)`.as('isSuspendedForDebt'),
] as const

const suspendedAccounts = sql<AccountId>`(select account_id from account_suspensions where lifted_at is null
  union select account_id from account_billing_status where suspended)`

async function matching(db: Db, { since, wantsCustomers, suspended, search }: UserFilter) {
  const users = db
    .selectFrom('users as user')
    .where('user.closed_at', 'is', null)
    .$if(since !== undefined, (query) => query.where('user.created_at', '>=', since!))
    .$if(wantsCustomers === true, (query) => query.where('user.is_customer', '=', true))
    .$if(suspended === true, (query) => query.where('user.account_id', 'in', suspendedAccounts))
  if (!search?.trim()) return users
  const found = await findUsers(db, search)
  return users.where((eb) =>
    eb.or([
      ...(found.patterns.length > 0
        ? [eb.and(found.patterns.map((pattern) => sql<boolean>`"user".words like lower(${pattern})`))]
        : []),
      ...(found.holders.length > 0 ? [eb('user.account_id', 'in', found.holders)] : []),
    ]),
  )
}

/** Looks up ASN holders first: inside the other query they would prevent the use of an index. */
async function findUsers(db: Db, search: string): Promise<{ patterns: string[]; holders: AccountId[] }> {
  const number = readAsn(search)
  const holders = number ? await holdersOf(db, number.asn) : []
  return { patterns: number?.certain ? [] : searchPatterns(search), holders }
}

/** Each has an index, which is read in either direction. */
export const USER_SORTS = ['CREATED_DESC', 'CREATED_ASC', 'EMAIL_ASC', 'EMAIL_DESC'] as const
export type UserSort = (typeof USER_SORTS)[number]

export interface UserPage {
  readonly first: number
  /** The id of the last user on the previous page. */
  readonly beforeId?: number
  /** Their address, if the list is sorted by address. */
  readonly beforeKey?: string
}

/**
 * Lists users, newest first by default. It looks up when the user `beforeId` was created, so that every page starts
 * within the index.
 */
export async function listUsers(
  db: Db,
  filter: UserFilter,
  page: UserPage,
  sort: UserSort = 'CREATED_DESC',
): Promise<UserRecord[]> {
  const { beforeId, beforeKey } = page
  const direction = sort.endsWith('_DESC') ? 'desc' : 'asc'
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const query = (await matching(db, filter)).select(columns).select(computed).limit(page.first)
  if (sort === 'EMAIL_ASC' || sort === 'EMAIL_DESC') {
    return query
      .$if(beforeKey !== undefined, (rest) => rest.where(sql<boolean>`"user".email ${beyond} ${beforeKey}`))
      .orderBy('user.email', direction)
      .execute()
  }
  return query
    .$if(beforeId !== undefined, (rest) =>
      rest.where(
        sql<boolean>`("user".created_at, "user".id) ${beyond}
          ((select created_at from users where id = ${beforeId}), ${beforeId}::int)`,
      ),
    )
    .orderBy('user.created_at', direction)
    .orderBy('user.id', direction)
    .execute()
}

/** Returns what a cursor contains besides the id. */
export const sortKeyOfUsers = (sort: UserSort): SortKey<UserRecord> | undefined =>
  sort.startsWith('EMAIL') ? { of: ({ email }) => email, accepts: () => true } : undefined

/** Returns the exact count; for a search it stops at {@link SEARCH_COUNT_CAP}. */
export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const list = filter.wantsCustomers ? 'customers' : 'users'
  if (!filter.search?.trim() && !filter.suspended)
    return filter.since ? countSince(db, list, filter.since) : countOf(db, [list])
  const found = (await matching(db, filter))
    .select('user.id')
    .$if(Boolean(filter.search?.trim()), (query) => query.limit(SEARCH_COUNT_CAP))
  const { count } = await db
    .selectFrom(found.as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Uses stored counts for whole days. On the day of `since`, it counts the later rows in the index. */
async function countSince(db: Db, list: 'users' | 'customers', since: Date): Promise<number> {
  const counted = await sql<{ count: number }>`
    with next(day) as (select (${since}::timestamptz at time zone 'UTC')::date + 1)
    select (
      (select coalesce(sum(change), 0) from row_counts where list = ${list} and day >= (select day from next))
      + (select count(*) from users
         where closed_at is null ${list === 'customers' ? sql`and is_customer` : sql``} and created_at >= ${since}
           and created_at < (select day::timestamp at time zone 'UTC' from next))
    )::int as count`.execute(db)
  return counted.rows[0]!.count
}

/** Includes closed accounts: a prefix or an invoice may still refer to them. */
export async function usersByIds(db: Db, ids: readonly UserId[]): Promise<Map<UserId, UserRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await records(db)
    .where('user.id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Does the same by the ids of their accounts. */
export async function usersByAccounts(db: Db, accountIds: readonly AccountId[]): Promise<Map<AccountId, UserRecord>> {
  if (accountIds.length === 0) return new Map()
  const rows = await records(db)
    .where('user.account_id', 'in', [...accountIds])
    .execute()
  return new Map(rows.map((row) => [row.accountId, row]))
}

const records = (db: Db) => db.selectFrom('users as user').select(columns).select(computed)
