/** Suspends the routers of suspended accounts and restores them afterwards. Their desired state is kept. */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { readBillingStatus, suspendedByStaff } from '../accounts/index.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction } from '../platform/db/index.ts'
import type { Reconciler } from '../platform/reconcile.ts'
import type { RoutersDeps } from './deps.ts'
import { recordRouterEvent } from './events.ts'
import { setDesiredState } from './router-commands.ts'

/** One key for each user. Code that writes an account billing status publishes a change event and need do no more. */
export function suspensionReconciler({ db, clock }: Pick<RoutersDeps, 'db' | 'clock'>): Reconciler {
  return {
    name: 'router-standing',
    everyMs: 30_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'user' ? changeEvent.id : null),
    async due() {
      const rows = await db
        .selectFrom('routers')
        .leftJoin('account_billing_status', 'account_billing_status.account_id', 'routers.account_id')
        .select('routers.account_id')
        .distinct()
        .where(
          sql<boolean>`routers.suspended <> (coalesce(account_billing_status.suspended, false)
            or ${suspendedByStaff('routers.account_id')})`,
        )
        .limit(500)
        .execute()
      return rows.map((row) => row.account_id)
    },
    async reconcile(id) {
      const accountId = id as AccountId
      await inTransaction(db, async (transaction) => {
        const { suspended } = await readBillingStatus(transaction, accountId)
        const routers = await transaction
          .selectFrom('routers')
          .select(['id', 'account_id', 'name'])
          .where('account_id', '=', accountId)
          .where('suspended', '!=', suspended)
          .orderBy('id')
          .forNoKeyUpdate()
          .execute()
        for (const router of routers) {
          await setDesiredState(transaction, router.id, { suspended, stop_mode: 'graceful' }, clock.now())
          await recordRouterEvent(transaction, SYSTEM, router, suspended ? 'router.suspended' : 'router.resumed')
        }
      })
    },
  }
}
