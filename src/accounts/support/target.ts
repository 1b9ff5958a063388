/** The user that a support request is about, and whether the caller may act on them. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { hasRole } from '../../kernel/required-role.ts'
import { forbidden, notFound } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import '../tables.ts'

export interface Target {
  readonly id: UserId
  readonly accountId: AccountId
  readonly email: string
  readonly isStaff: boolean
  readonly isVerified: boolean
}

/** Throws 404 for an unknown user, and for a closed account unless `which` includes those. */
export async function requireUser(db: Db, userId: UserId, which: 'open' | 'closed too' = 'open'): Promise<Target> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'account_id', 'email', 'is_admin', 'email_verified_at'])
    .where('id', '=', userId)
    .$if(which === 'open', (query) => query.where('closed_at', 'is', null))
    .executeTakeFirst()
  if (!user) throw notFound()
  return {
    id: user.id,
    accountId: user.account_id,
    email: user.email,
    isStaff: user.is_admin,
    isVerified: user.email_verified_at !== null,
  }
}

/** Throws 403 if the user is staff and the caller is no owner: support must not be able to lock out owners. */
export function requireOwnerForStaff({ isStaff }: Target, caller: Pick<Principal, 'roles'>): void {
  if (isStaff && !hasRole(caller.roles, 'owner')) {
    throw forbidden('This user is staff. Requires the Owner role.', 'insufficient_role')
  }
}
