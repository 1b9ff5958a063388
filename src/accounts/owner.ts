/** Finds the account of a user and the user of an account. Endpoints of staff call it once, with the id in the path. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { OWN_ACCOUNT } from '../kernel/own-account.ts'
import { forbidden, notFound } from '../kernel/problem.ts'
import { preparedQuery, type Db, type Places } from '../platform/db/index.ts'
import type { Principal } from '../platform/http/principal.ts'
import './tables.ts'

const accountsOf = preparedQuery(['userId'], (db, { userId }: Places<{ userId: UserId }>) =>
  db.selectFrom('users').select('account_id').where('id', '=', userId),
)

const usersOf = preparedQuery(['accountId'], (db, { accountId }: Places<{ accountId: AccountId }>) =>
  db.selectFrom('users').select('id').where('account_id', '=', accountId),
)

/** Throws 404 if there is no such user. */
export async function accountOf(db: Db, userId: UserId): Promise<AccountId> {
  const [row] = await accountsOf(db, { userId })
  if (!row) throw notFound()
  return row.account_id
}

/** Returns the user that staff and the audit log show for an account. */
export async function userOf(db: Db, accountId: AccountId): Promise<UserId> {
  const [row] = await usersOf(db, { accountId })
  if (!row) throw notFound()
  return row.id
}

/** Throws 403 `own_request`: staff may be customers as well, and nobody decides for their own account. */
export function requireNotOwnAccount(staff: Pick<Principal, 'accountId'>, accountId: AccountId): void {
  if (staff.accountId === accountId) {
    throw forbidden(OWN_ACCOUNT, 'own_request')
  }
}

/** Returns the account of a user for whom staff decide. Throws 404 if there is no such user. */
export async function accountOfOther(db: Db, staff: Pick<Principal, 'accountId'>, userId: UserId): Promise<AccountId> {
  const accountId = await accountOf(db, userId)
  requireNotOwnAccount(staff, accountId)
  return accountId
}

export interface AccountUser {
  readonly id: UserId
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/** Returns the user that staff see for each of these accounts. */
export async function usersOfAccounts(db: Db, accountIds: readonly AccountId[]): Promise<Map<AccountId, AccountUser>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['account_id', 'id', 'email', 'first_name as firstName', 'last_name as lastName'])
    .where('account_id', '=', sql<AccountId>`any(${accountIds}::int[])`)
    .execute()
  return new Map(rows.map(({ account_id, ...user }) => [account_id, user]))
}
