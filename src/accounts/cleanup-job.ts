/** Deletes expired rows. Nothing depends on it: each row is checked again where it is used. */
import type { Reconciler } from '../platform/reconcile.ts'
import type { AccountsDeps } from './deps.ts'
import { dropOldSessions } from './sessions.ts'

/** An expired link grants nothing, but its row keeps the page to return to for when the reader requests another. */
const RETENTION_MS = 30 * 86_400_000

export function housekeepingReconciler({ db, clock }: Pick<AccountsDeps, 'db' | 'clock'>): Reconciler {
  return {
    name: 'accounts-housekeeping',
    everyMs: 3_600_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([1]),
    async reconcile() {
      const now = clock.now()
      await dropOldSessions(db, now)
      await db
        .deleteFrom('mail_tokens')
        .where('expires_at', '<', new Date(now.getTime() - RETENTION_MS))
        .execute()
      await db.deleteFrom('api_tokens').where('expires_at', '<', now).execute()
      await db.deleteFrom('spent_challenges').where('expires_at', '<', now).execute()
      await db.deleteFrom('throttles').where('drained_at', '<', now).execute()
    },
  }
}
