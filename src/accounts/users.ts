/** Adds users, and reads the user's own row. This is the only place that returns it to clients. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import { sql, type Insertable } from 'kysely'
import { unauthorized } from '../kernel/problem.ts'
import type { Actor } from '../platform/audit.ts'
import { preparedQuery, type Db, type Places } from '../platform/db/index.ts'
import type { CurrentUser } from './contract.ts'
import type { AccountsDeps } from './deps.ts'
import { recordUserEvent } from './events.ts'
import { hasSecondFactor } from './has-second-factor.ts'
import type { UsersTable } from './tables.ts'

/** Addresses are compared case-folded: no mail server in use distinguishes `Ann@` from `ann@`. */
export const foldEmail = (email: string): string => email.trim().toLowerCase()

/**
 * Adds a user and so opens an account. Returns null if the address is taken. Locked, because the insert opens the
 * account first: one that lost a race would leave an account without a user.
 */
export async function addUser(db: Db, user: Insertable<UsersTable>): Promise<UserId | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`longhaul user ${user.email}`}, 0))`.execute(db)
  const known = await db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirst()
  if (known) return null
  const { id } = await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

const currentUser = preparedQuery(['userId'], (db, { userId }: Places<{ userId: UserId }>) =>
  db
    .selectFrom('users')
    .leftJoin('asn_ownerships', 'asn_ownerships.account_id', 'users.account_id')
    .leftJoin('totp_factors', 'totp_factors.user_id', 'users.id')
    .leftJoin('account_suspensions as suspension', (join) =>
      join.onRef('suspension.account_id', '=', 'users.account_id').on('suspension.lifted_at', 'is', null),
    )
    .leftJoin('second_factor_resets as reset', (join) =>
      join.onRef('reset.user_id', '=', 'users.id').on('reset.ended_at', 'is', null),
    )
    .select(['users.id', 'email', 'is_admin', 'staff_roles', 'first_name', 'last_name', 'created_at'])
    .select(['last_sign_in_at', 'last_sign_in_ip', 'asn', 'verified_at', 'confirmed_at'])
    .select(['suspension.reason as suspension_reason', 'suspended_at'])
    .select(['requested_at', 'approve_before', 'due_at'])
    .select(hasSecondFactor)
    .where('users.id', '=', userId)
    .where('closed_at', 'is', null),
)

/** Returns the account as its owner sees it. Throws 401 if it is closed or unknown. */
export async function readCurrentUser(
  db: Db,
  userId: UserId,
  { staffSecondFactor }: Pick<AccountsDeps, 'staffSecondFactor'>,
): Promise<CurrentUser> {
  const [row] = await currentUser(db, { userId })
  if (!row) throw unauthorized()
  return {
    id: row.id,
    email: row.email,
    isAdmin: row.is_admin,
    roles: row.staff_roles,
    asn: row.asn,
    asnVerifiedAt: row.verified_at?.toISOString() ?? null,
    firstName: row.first_name,
    lastName: row.last_name,
    hasTotp: row.confirmed_at !== null,
    hasSecondFactor: row.hasSecondFactor,
    needsSecondFactor: staffSecondFactor && row.is_admin && !row.hasSecondFactor,
    suspension: row.suspended_at && { reason: row.suspension_reason!, since: row.suspended_at.toISOString() },
    secondFactorReset: row.requested_at && {
      requestedAt: row.requested_at.toISOString(),
      approveBefore: row.approve_before!.toISOString(),
      dueAt: row.due_at?.toISOString() ?? null,
    },
    impersonation: null,
    createdAt: row.created_at.toISOString(),
    lastSignInAt: row.last_sign_in_at?.toISOString() ?? null,
    lastSignInIp: row.last_sign_in_ip,
  }
}

const lockedIfOpen = (db: Db) => db.selectFrom('users').select('id').where('closed_at', 'is', null).forNoKeyUpdate()

/**
 * Locks the account until the transaction ends, so that checks before a new commitment run one at a time: two orders,
 * an order and the removal of the last card, or an order and closing the account. Throws 401 if it was closed in the
 * meantime.
 */
export async function lockAccount(db: Db, accountId: AccountId): Promise<void> {
  const locked = await lockedIfOpen(db).where('account_id', '=', accountId).executeTakeFirst()
  if (!locked) throw unauthorized()
}

/** Does the same for what belongs to the user alone. */
export async function lockUser(db: Db, userId: UserId): Promise<void> {
  const locked = await lockedIfOpen(db).where('id', '=', userId).executeTakeFirst()
  if (!locked) throw unauthorized()
}

/**
 * Returns the ids of users whose name or address matches every pattern of `searchPatterns`, including closed
 * accounts, in no order.
 */
export async function usersNamed(
  db: Db,
  patterns: readonly string[],
  most: number,
): Promise<{ userId: UserId; accountId: AccountId }[]> {
  return db
    .selectFrom('users')
    .select(['id as userId', 'account_id as accountId'])
    .where((eb) => eb.and(patterns.map((pattern) => sql<boolean>`words like lower(${pattern})`)))
    .limit(most)
    .execute()
}

export interface NameChange {
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

export async function changeNames(db: Db, actor: Actor, userId: UserId, change: NameChange): Promise<void> {
  const before = await db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const after = { first_name: change.firstName ?? before.first_name, last_name: change.lastName ?? before.last_name }
  if (after.first_name === before.first_name && after.last_name === before.last_name) return
  await db.updateTable('users').set(after).where('id', '=', userId).execute()
  await recordUserEvent(db, actor, userId, 'account.changed', { before, after })
}

/** The user with this address, for sign-in. */
export interface Candidate {
  readonly id: UserId
  readonly passwordHash: string
  readonly emailVerified: boolean
  /** True if this account was signed in to from this address before. */
  readonly familiar: boolean
}

export async function findCandidate(db: Db, email: string, ip: string): Promise<Candidate | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'password_hash', 'email_verified_at'])
    .select((eb) =>
      eb
        .or([
          sql<boolean>`coalesce(last_sign_in_ip = ${ip}::inet, false)`,
          eb.exists(
            eb
              .selectFrom('sessions')
              .select(sql`1`.as('one'))
              .whereRef('sessions.user_id', '=', 'users.id')
              .where('sessions.ip', '=', ip),
          ),
        ])
        .as('familiar'),
    )
    .where('email', '=', email)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    passwordHash: row.password_hash,
    emailVerified: row.email_verified_at !== null,
    familiar: Boolean(row.familiar),
  }
}
