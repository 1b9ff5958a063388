/** The user behind a session or an API token. */
import type { Selectable } from 'kysely'
import type { AccountId, UserId } from '../kernel/ids.ts'
import { hasSecondFactor } from './has-second-factor.ts'
import { isSuspended } from './suspended-by-staff.ts'
import type { UsersTable } from './tables.ts'

/** Of `users`, left joined with `asn_ownerships`. */
export const HOLDER_COLUMNS = [
  'users.id as userId',
  'users.account_id as accountId',
  'users.email',
  'users.is_admin',
  'users.staff_roles',
  'asn_ownerships.verified_at',
  hasSecondFactor,
  isSuspended,
] as const

interface Holder extends Pick<Selectable<UsersTable>, 'email' | 'is_admin' | 'staff_roles'> {
  readonly userId: UserId
  readonly accountId: AccountId
  readonly verified_at: Date | null
  readonly hasSecondFactor: boolean
  readonly isSuspended: boolean
}

/** The part of a principal that does not depend on how its user signed in. */
export const holderPrincipal = (row: Holder, staffSecondFactor: boolean) => ({
  userId: row.userId,
  accountId: row.accountId,
  email: row.email,
  isAdmin: row.is_admin,
  roles: row.staff_roles,
  asnVerifiedAt: row.verified_at,
  lacksSecondFactor: staffSecondFactor && row.is_admin && !row.hasSecondFactor,
  isSuspended: row.isSuspended,
})
