/** Applies a dunning stage to an account's services and charges. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import type { DunningStage } from '../states.ts'
import '../tables.ts'

/** Stops charges when the account is terminated, and starts them again from the moment it is restored. */
export async function pauseCharges(db: Db, accountId: AccountId, stage: DunningStage, now: Date): Promise<void> {
  if (stage === 'TERMINATED') {
    await db
      .insertInto('billing_pauses')
      .values({ account_id: accountId, starts_at: now, ends_at: null })
      .onConflict((clash) => clash.doNothing())
      .execute()
  } else {
    await db
      .updateTable('billing_pauses')
      // If the clock was set back, a pause must not end before it began.
      .set((eb) => ({ ends_at: eb.fn<Date>('greatest', ['starts_at', eb.val(now)]) }))
      .where('account_id', '=', accountId)
      .where('ends_at', 'is', null)
      .execute()
  }
}

const OVERDUE = 'An invoice is overdue: pay it under Billing.'

export const SERVICES_BY_STAGE = {
  CURRENT: { suspended: false, transit: 'normal', reason: null },
  REMINDED: { suspended: false, transit: 'normal', reason: null },
  WARNED: { suspended: false, transit: 'normal', reason: OVERDUE },
  DRAINED: { suspended: false, transit: 'drained', reason: OVERDUE },
  SESSIONS_DOWN: { suspended: false, transit: 'closed', reason: OVERDUE },
  SUSPENDED: { suspended: true, transit: 'closed', reason: OVERDUE },
  TERMINATED: { suspended: true, transit: 'closed', reason: OVERDUE },
} as const satisfies Record<DunningStage, object>
