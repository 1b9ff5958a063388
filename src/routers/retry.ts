/** Retries a failed step now, for staff who have fixed the cause while the next attempt is minutes away. */
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { recordRouterEvent } from './events.ts'
import type { RouterRow } from './queries.ts'

/**
 * Ends the pause and restarts its backoff. A router that waits for nothing stays as it is, so a client that got no
 * response may ask again. The desired state stays, so a step under way does not become stale.
 */
export async function retryRouter(db: Db, actor: Actor, row: RouterRow, now: Date): Promise<void> {
  if (row.retry_at === null) return
  await db
    .updateTable('routers')
    .set({ due_at: now, failure: null, failure_detail: null, failures: 0, retry_at: null })
    .where('id', '=', row.id)
    .execute()
  await recordRouterEvent(db, actor, row, 'router.retried')
}
