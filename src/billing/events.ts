/** Events of billing: an audit log entry and a change event for each. */
import { userOf } from '../accounts/index.ts'
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import type { AuditActionOf } from '../kernel/audit-actions.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publicEventOf } from '../kernel/public-events.ts'
import { CHANGE_CHANNEL, publish } from '../platform/events.ts'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'

/** The subject of a change of the account itself is its user. */
type Subject =
  | { readonly type: string; readonly id: number; readonly accountId: AccountId }
  | { readonly type: 'user'; readonly accountId: AccountId }

export async function recordBillingEvent(
  db: Db,
  actor: Actor,
  subject: Subject,
  action: AuditActionOf<'billing'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { type, accountId } = subject
  const id = 'id' in subject ? subject.id : await userOf(db, accountId)
  await audit(db, actor, { action, subject: { type, id }, accountId, data })
  // A separate topic: the monthly run publishes thousands of invoices, and listeners for payments must not wake for
  // each.
  await publish(db, { type: 'payment', id: type === 'payment' ? id : null, accountId })
}

export interface RecordedInvoice {
  readonly id: number
  readonly account_id: AccountId
  readonly number: string | null
  readonly total: number
  readonly currency: string
}

/** Does the same for a batch. The run bills thousands, and one statement each would take longer than the billing. */
export async function recordInvoices(
  db: Db,
  actor: Actor,
  invoices: readonly RecordedInvoice[],
  action: AuditActionOf<'billing'>,
): Promise<void> {
  if (invoices.length === 0) return
  const rows = invoices.map((invoice) => ({
    actor_id: actor.userId,
    actor_kind: actor.kind,
    action,
    subject_type: 'invoice',
    subject_id: invoice.id,
    account_id: invoice.account_id,
    ip: actor.ip,
    request_id: actor.requestId,
    data: { number: invoice.number, total: invoice.total, currency: invoice.currency },
  }))
  await sql`
    insert into audit_events
      (actor_id, actor_kind, action, subject_type, subject_id, account_id, ip, request_id, data)
    select actor_id, actor_kind, action, subject_type, subject_id, account_id, ip, request_id, data
    from json_populate_recordset(null::audit_events, ${JSON.stringify(rows)}::json)`.execute(db)
  const type = publicEventOf(action)
  if (type) {
    await enqueueWebhookEvents(
      db,
      invoices.map(({ id, account_id: accountId }) => ({ type, accountId, subject: { type: 'invoice', id } })),
    )
  }
  const changeEvent = invoices.map(({ id, account_id }) =>
    JSON.stringify({ type: 'invoice', id, accountId: account_id }),
  )
  await sql`select pg_notify(${CHANGE_CHANNEL}, word) from unnest(${changeEvent}::text[]) as word`.execute(db)
}
