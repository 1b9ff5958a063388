/** Whether an account may cost money. Billing writes it; whoever is about to spend reads it and knows nothing of billing. */
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import './tables.ts'

export interface Standing {
  /** There is somebody to charge: a payment method, or an agreement to invoice. */
  readonly mayBeBilled: boolean
  /** Services are to be held back until `reason` is mended. */
  readonly suspended: boolean
  /** What is to become of sessions before that: used as a last resort (RFC 8326), then closed. */
  readonly transit: 'normal' | 'drained' | 'shut'
  readonly reason: string | null
}

/** An account that billing has not spoken of yet may not be billed and is not suspended. */
export async function readStanding(db: Db, userId: number): Promise<Standing> {
  const row = await db.selectFrom('account_standing').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return {
    mayBeBilled: row?.may_be_billed ?? false,
    suspended: row?.suspended ?? false,
    transit: row?.transit ?? 'normal',
    reason: row?.reason ?? null,
  }
}

/** Writes what changed; the rest stays. In the trail and in the news (`user`) only when it is a change. */
export async function writeStanding(db: Db, actor: Actor, userId: number, change: Partial<Standing>): Promise<void> {
  const before = await readStanding(db, userId)
  const after = { ...before, ...change }
  if (
    before.mayBeBilled === after.mayBeBilled &&
    before.suspended === after.suspended &&
    before.transit === after.transit &&
    before.reason === after.reason
  ) {
    return
  }
  const { mayBeBilled: may_be_billed, suspended, transit, reason } = after
  const values = { may_be_billed, suspended, transit, reason }
  await db
    .insertInto('account_standing')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...values, updated_at: new Date() }))
    .execute()
  await audit(db, actor, {
    action: 'account.standing_changed',
    subject: { type: 'user', id: userId },
    userId,
    data: { before, after },
  })
  await publish(db, { type: 'user', id: userId, userId })
}
