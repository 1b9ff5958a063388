/** SQL conditions for a suspension by staff (decision 39), which has its own row beside billing's. */
import type { AccountId } from '../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

/** For queries over many accounts. `owner` is the column with the account id. */
export const suspendedByStaff = (owner: `${string}.account_id`): RawBuilder<boolean> => sql<boolean>`exists (
  select from account_suspensions suspension
  where suspension.account_id = ${sql.ref(owner)} and suspension.lifted_at is null)`

/** For queries on `users`. */
export const isSuspended = suspendedByStaff('users.account_id').as('isSuspended')

/** For queries on `users`. What staff decided earlier no longer counts once their account is closed or suspended. */
export const isActiveStaff = sql<boolean>`(users.is_admin and users.closed_at is null
  and not ${suspendedByStaff('users.account_id')})`

export interface StaffSuspension {
  /** The reason shown to the customer. */
  readonly reason: string
  readonly since: Date
}

export async function readStaffSuspension(db: Db, accountId: AccountId): Promise<StaffSuspension | null> {
  const row = await db
    .selectFrom('account_suspensions')
    .select(['reason', 'suspended_at'])
    .where('account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return row ? { reason: row.reason, since: row.suspended_at } : null
}
