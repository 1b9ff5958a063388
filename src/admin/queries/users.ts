/** Users as staff see them: pages by keyset, batches by id. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

export interface UserRecord {
  readonly id: number
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly isAdmin: boolean
  readonly createdAt: Date
  readonly lastSignInAt: Date | null
  readonly lastSignInIp: string | null
  readonly hasVerifiedEmail: boolean
  readonly hasValidPaymentMethod: boolean
}

export interface UserFilter {
  readonly since?: Date | undefined
  /** Only those with somebody to charge. */
  readonly wantsCustomers?: boolean | undefined
  /** Part of the name or address, or the ASN. */
  readonly search?: string | undefined
}

const people = (db: Db) =>
  db
    .selectFrom('users as user')
    .leftJoin('account_standing as standing', 'standing.user_id', 'user.id')
    .where('user.closed_at', 'is', null)

const columns = [
  'user.id',
  'user.email',
  'user.first_name as firstName',
  'user.last_name as lastName',
  'user.is_admin as isAdmin',
  'user.created_at as createdAt',
  'user.last_sign_in_at as lastSignInAt',
] as const

const computed = [
  sql<string | null>`host("user".last_sign_in_ip)`.as('lastSignInIp'),
  sql<boolean>`"user".email_verified_at is not null`.as('hasVerifiedEmail'),
  sql<boolean>`coalesce(standing.may_be_billed, false)`.as('hasValidPaymentMethod'),
] as const

function matching(db: Db, { since, wantsCustomers, search }: UserFilter) {
  let query = people(db)
  if (since) query = query.where('user.created_at', '>=', since)
  if (wantsCustomers) query = query.where('standing.may_be_billed', '=', true)
  const text = search?.trim()
  if (!text) return query
  const asn = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1]
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return query.where((eb) =>
    eb.or([
      eb('user.email', 'ilike', pattern),
      sql<boolean>`"user".first_name || ' ' || "user".last_name ilike ${pattern}`,
      ...(asn
        ? [eb('user.id', 'in', eb.selectFrom('asn_holdings').select('user_id').where('asn', '=', Number(asn)))]
        : []),
    ]),
  )
}

/** Newest first: ids grow with time, so the id is the key of the page. */
export const listUsers = (
  db: Db,
  filter: UserFilter,
  page: { first: number; beforeId?: number },
): Promise<UserRecord[]> =>
  matching(db, filter)
    .select(columns)
    .select(computed)
    .$if(page.beforeId !== undefined, (query) => query.where('user.id', '<', page.beforeId!))
    .orderBy('user.id', 'desc')
    .limit(page.first)
    .execute()

export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const { count } = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Also those who closed their account: a prefix or an invoice still names them. */
export async function usersByIds(db: Db, ids: readonly number[]): Promise<Map<number, UserRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users as user')
    .leftJoin('account_standing as standing', 'standing.user_id', 'user.id')
    .select(columns)
    .select(computed)
    .where('user.id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
