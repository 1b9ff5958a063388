/** Events of routers: each writes an audit log entry and publishes a change event. */
import type { AccountId } from '../kernel/ids.ts'
import type { AuditActionOf } from '../kernel/audit-actions.ts'
import { audit, type Actor } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'
import './tables.ts'

interface Subject {
  readonly id: number
  readonly account_id: AccountId
}

/** The name, as its owner knows it: the audit log outlives the router. */
interface Named extends Subject {
  readonly name: string
}

export async function recordRouterEvent(
  db: Db,
  actor: Actor,
  router: Named,
  action: AuditActionOf<'routers', 'router'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'router', id: router.id },
    accountId: router.account_id,
    data: { name: router.name, ...data },
  })
  await publishRouterChanged(db, router)
}

/** Publishes a change event without an audit log entry: observed state changes far more often than anyone acts. */
export async function publishRouterChanged(db: Db, router: Subject): Promise<void> {
  await publishState(db, router)
  await publish(db, { type: 'router', id: router.id, accountId: router.account_id })
}

/** The state is computed, so a change shows only against the state that was published before. */
const publishState = (database: Db, { id, account_id: accountId }: Subject): Promise<void> =>
  inTransaction(database, async (db) => {
    const row = await db
      .selectFrom('routers')
      .select(['state', 'published_state'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) return
    const { published_state: from, state: to } = row
    if (from === to) return
    const reported = await db
      .updateTable('routers')
      .set({ published_state: to })
      .where('id', '=', id)
      .where('published_state', 'is not distinct from', from)
      .executeTakeFirst()
    // The creation publishes the first state. A process that overtook us here publishes a different change.
    if (from === null || reported.numUpdatedRows === 0n) return
    await enqueueWebhookEvents(db, [
      { type: 'router.state_changed', accountId, subject: { type: 'router', id }, data: { from, to } },
    ])
  })
