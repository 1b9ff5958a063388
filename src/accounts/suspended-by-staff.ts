/** SQL conditions for a suspension by staff (decision 39), which has its own row beside billing's. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

/** For queries over many accounts. `owner` is the column with the account id. */
export const suspendedByStaff = (owner: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from account_suspensions suspension
  where suspension.user_id = ${sql.ref(owner)} and suspension.lifted_at is null)`

/** For queries on `users`. */
export const isSuspended = suspendedByStaff('users.id').as('isSuspended')

export interface StaffSuspension {
  /** The reason shown to the customer. */
  readonly reason: string
  readonly since: Date
}

export async function readStaffSuspension(db: Db, userId: number): Promise<StaffSuspension | null> {
  const row = await db
    .selectFrom('account_suspensions')
    .select(['reason', 'suspended_at'])
    .where('user_id', '=', userId)
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return row ? { reason: row.reason, since: row.suspended_at } : null
}
