/**
 * Whether an account may be charged and whether its services run. Billing writes it, and staff may suspend the
 * account separately. Code that is about to create cost reads both as one.
 */
import type { AccountId } from '../kernel/ids.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { readStaffSuspension } from './suspended-by-staff.ts'
import { userOf } from './owner.ts'
import './tables.ts'

export interface AccountBillingStatus {
  /** The account can be charged: it has a payment method or an agreement to invoice. */
  readonly mayBeBilled: boolean
  /** Services are suspended: by billing until `reason` is resolved, by staff until they lift it. */
  readonly suspended: boolean
  /** Staff suspended the account, whatever billing says. `reason` is theirs then, and only they can lift it. */
  readonly byStaff: boolean
  /** What happens to sessions before a suspension: drained as a last resort (RFC 8326), then closed. */
  readonly transit: 'normal' | 'drained' | 'closed'
  readonly reason: string | null
}

/**
 * Returns the status. An account without a billing row may not be charged and is not suspended. `hold` locks the row
 * until the transaction ends.
 */
export async function readBillingStatus(db: Db, accountId: AccountId, hold?: 'hold'): Promise<AccountBillingStatus> {
  const own = await readBillingRow(db, accountId, hold)
  const suspension = await readStaffSuspension(db, accountId)
  return suspension === null
    ? { ...own, byStaff: false }
    : { ...own, suspended: true, byStaff: true, reason: suspension.reason }
}

type BillingRow = Omit<AccountBillingStatus, 'byStaff'>

/** Returns the status that billing wrote, without any suspension by staff. */
async function readBillingRow(db: Db, accountId: AccountId, hold?: 'hold'): Promise<BillingRow> {
  const row = await db
    .selectFrom('account_billing_status')
    .selectAll()
    .where('account_id', '=', accountId)
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
 * Writes only the given fields, so that concurrent changes to others stay. Call it in a transaction. It writes the
 * audit log and publishes a `user` event only if something changed.
 */
export async function writeBillingStatus(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  change: Partial<BillingRow>,
): Promise<void> {
  const before = await readBillingRow(db, accountId, 'hold')
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
  // Write only the change: without a row to lock, another transaction may have inserted one first.
  const changed = { ...rest, ...(may_be_billed !== undefined && { may_be_billed }) }
  await db
    .insertInto('account_billing_status')
    .values({ account_id: accountId, ...changed })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...changed, updated_at: new Date() }))
    .execute()
  const userId = await userOf(db, accountId)
  await audit(db, actor, {
    action: 'account.billing_status_changed',
    subject: { type: 'user', id: userId },
    accountId,
    data: { before, after },
  })
  await publish(db, { type: 'user', id: userId, accountId })
}
