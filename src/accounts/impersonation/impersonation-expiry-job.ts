/**
 * Records the end of impersonations that ended on their own: the time was up, or the session or the role was gone.
 * They had no effect any more.
 */
import { SYSTEM } from '../../platform/audit.ts'
import { inTransaction } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { closeImpersonation } from './impersonation.ts'
import type { AccountsDeps } from '../deps.ts'

export function impersonationExpiryReconciler({ db: database, clock }: Pick<AccountsDeps, 'db' | 'clock'>): Reconciler {
  return {
    name: 'acting-end',
    everyMs: 30_000,
    concurrency: 1,
    wakes: () => null,
    due: async () => {
      const rows = await database
        .selectFrom('impersonation_sessions')
        .innerJoin('users as staff', 'staff.id', 'staff_id')
        .select('impersonation_sessions.id')
        .where('ended_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('expires_at', '<=', clock.now()),
            eb('session_id', 'is', null),
            eb('staff.is_admin', '=', false),
            eb('staff.closed_at', 'is not', null),
          ]),
        )
        .execute()
      return rows.map((row) => row.id)
    },
    reconcile: async (id) => inTransaction(database, (db) => closeImpersonation(db, SYSTEM, id, clock.now(), 'over')),
  }
}
