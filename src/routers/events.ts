/** What happens to a router: a line in the trail of its owner, and a word to whoever shows it. */
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'

export type RouterEvent =
  | 'router.created'
  | 'router.renamed'
  | 'router.resized'
  | 'router.action_requested'
  | 'router.delete_requested'
  | 'router.deleted'
  | 'router.reachable'
  | 'router.failed'
  | 'router.crashed'
  | 'router.shut_down_inside'
  | 'router.configuration_refused'
  | 'router.suspended'
  | 'router.resumed'
  | 'router.console_opened'

interface Subject {
  readonly id: number
  readonly user_id: number
}

export async function recordRouterEvent(
  db: Db,
  actor: Actor,
  router: Subject,
  action: RouterEvent,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'router', id: router.id },
    userId: router.user_id,
    data,
  })
  await tellRouterChanged(db, router)
}

/** News without a line in the trail: what was observed changes far more often than what anybody did. */
export const tellRouterChanged = (db: Db, router: Subject): Promise<void> =>
  publish(db, { type: 'router', id: router.id, userId: router.user_id })
