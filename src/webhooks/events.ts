/** Events of webhook endpoints: an audit log entry and a change event for each. */
import type { AccountId } from '../kernel/ids.ts'
import type { AuditActionOf } from '../kernel/audit-actions.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'

interface Subject {
  readonly id: number
  readonly account_id: AccountId
}

export async function recordWebhookEvent(
  db: Db,
  actor: Actor,
  endpoint: Subject,
  action: AuditActionOf<'webhooks'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'webhook', id: endpoint.id },
    accountId: endpoint.account_id,
    data,
  })
  await publishWebhookChanged(db, endpoint)
}

/** Publishes that a message waits to be sent, or that the endpoint changed. */
export const publishWebhookChanged = (db: Db, { id, account_id: accountId }: Subject): Promise<void> =>
  publish(db, { type: 'webhook', id, accountId })

/** Publishes that a message was delivered or not, for screens. */
export const publishDelivered = (db: Db, { id, account_id: accountId }: Subject): Promise<void> =>
  publish(db, { type: 'webhook_delivery', id, accountId })
