/** Trying a step that failed again now, where a person has mended what it failed at and the next attempt is minutes away. */
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { recordRouterEvent } from './events.ts'
import type { RouterRow } from './queries.ts'

/**
 * Ends the pause, and counts its length from the beginning again. A router that waits for nothing stays as it is, so whoever
 * heard no answer may ask again. What is wished stays: a step that is under way is not overtaken by this.
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
