/**
 * Events for customers, written in the transaction of the change. An event that was rolled back is never sent, and a
 * committed one is not lost when the process dies. The webhooks slice takes them from here.
 */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { publicEventOf, type PublicEventType } from '../kernel/public-events.ts'
import { preparedQuery, type Db, type Places } from './db/index.ts'
import { publish } from './events.ts'

export interface OutgoingEvent {
  readonly type: PublicEventType
  readonly accountId: AccountId
  /** The object of the event; its current state is read when the message is written. */
  readonly subject: { readonly type: string; readonly id: number | null }
  /** Data of the change itself, which the object cannot show: the values before and after, and the reason. */
  readonly data?: Readonly<Record<string, unknown>>
}

export async function enqueueWebhookEvents(db: Db, events: readonly OutgoingEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ type, accountId, subject, data = {} }) => ({
    type,
    account_id: accountId,
    subject_type: subject.type,
    subject_id: subject.id,
    data,
  }))
  await insertEvents(db, { rows: JSON.stringify(rows) })
  await publish(db, { type: 'outgoing_event', id: null, accountId: null })
}

const insertEvents = preparedQuery(['rows'], (db, { rows }: Places<{ rows: string }>) => ({
  compile: () =>
    sql`
      insert into outgoing_events (account_id, type, subject_type, subject_id, data)
      select account_id, type, subject_type, subject_id, data
      from json_populate_recordset(null::outgoing_events, ${rows}::json)`.compile(db),
}))

/** The data of the event in the audit log. */
interface AuditedEvent extends Pick<OutgoingEvent, 'subject'> {
  readonly action: string
  readonly accountId: AccountId | null
  readonly data?: Readonly<Record<string, unknown>>
}

/** Only these fields of an audit-log entry are sent: the rest is for its owner and staff, in our own words. */
const PUBLIC_FIELDS = ['from', 'to', 'reason'] as const

export async function enqueueAuditWebhookEvent(
  db: Db,
  { action, accountId, subject, data = {} }: AuditedEvent,
): Promise<void> {
  const type = publicEventOf(action)
  if (type === null || accountId === null) return
  const publicData = Object.fromEntries(PUBLIC_FIELDS.filter((name) => name in data).map((name) => [name, data[name]]))
  await enqueueWebhookEvents(db, [{ type, accountId, subject, data: publicData }])
}
