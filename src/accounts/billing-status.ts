/**
 * Whether an account may cost money, and whether its services run. Billing writes it; staff may suspend beside it. Whoever is
 * about to spend reads both as one and knows nothing of either.
 */
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { readStaffSuspension } from './suspended-by-staff.ts'
import './tables.ts'

export interface AccountBillingStatus {
  /** There is somebody to charge: a payment method, or an agreement to invoice. */
  readonly mayBeBilled: boolean
  /** Services are to be held back: by billing until `reason` is mended, by staff until they lift it. */
  readonly suspended: boolean
  /** Staff hold them back, whatever billing does; `reason` is theirs then. Only they lift it. */
  readonly byStaff: boolean
  /** What is to become of sessions before that: used as a last resort (RFC 8326), then closed. */
  readonly transit: 'normal' | 'drained' | 'closed'
  readonly reason: string | null
}

/** An account that billing has not spoken of yet may not be billed and is not suspended. `hold` keeps it so until the transaction ends. */
export async function readBillingStatus(db: Db, userId: number, hold?: 'hold'): Promise<AccountBillingStatus> {
  const own = await readBillingRow(db, userId, hold)
  const suspension = await readStaffSuspension(db, userId)
  return suspension === null
    ? { ...own, byStaff: false }
    : { ...own, suspended: true, byStaff: true, reason: suspension.reason }
}

type BillingRow = Omit<AccountBillingStatus, 'byStaff'>

/** What billing itself says, and no other cause. */
async function readBillingRow(db: Db, userId: number, hold?: 'hold'): Promise<BillingRow> {
  const row = await db
    .selectFrom('account_billing_status')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(hold === 'hold', (query) => query.forUpdate())
    .executeTakeFirst()
  return {
    mayBeBilled: row?.may_be_billed ?? false,
    suspended: row?.suspended ?? false,
    transit: row?.transit ?? 'normal',
    reason: row?.reason ?? null,
  }
}

/**
 * Writes what changed; the rest stays, also what another changes at the same time: call it in a transaction. In the trail
 * and in the news (`user`) only when it is a change.
 */
export async function writeBillingStatus(
  db: Db,
  actor: Actor,
  userId: number,
  change: Partial<BillingRow>,
): Promise<void> {
  const before = await readBillingRow(db, userId, 'hold')
  const after = { ...before, ...change }
  if (
    before.mayBeBilled === after.mayBeBilled &&
    before.suspended === after.suspended &&
    before.transit === after.transit &&
    before.reason === after.reason
  ) {
    return
  }
  const { mayBeBilled: may_be_billed, ...rest } = change
  // Nothing but the change: where there was no row to hold, another may have been faster to write one.
  const changed = { ...rest, ...(may_be_billed !== undefined && { may_be_billed }) }
  await db
    .insertInto('account_billing_status')
    .values({ user_id: userId, ...changed })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...changed, updated_at: new Date() }))
    .execute()
  await audit(db, actor, {
    action: 'account.billing_status_changed',
    subject: { type: 'user', id: userId },
    userId,
    data: { before, after },
  })
  await publish(db, { type: 'user', id: userId, userId })
}
