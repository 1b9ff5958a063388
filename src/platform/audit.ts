/**
 * The audit log: who did what to which object, written in the transaction that did it. It is append-only, and the
 * database chains its entries by their hashes as the transaction ends: see `audit-chain.ts`.
 */
import type { AccountId, UserId } from '../kernel/ids.ts'
import type { Insertable } from 'kysely'
import type { AuditAction } from '../kernel/audit-actions.ts'
import { preparedQuery, type Db, type Places } from './db/index.ts'
import { enqueueAuditWebhookEvent } from './webhook-outbox.ts'
import type { AuditEventsTable } from './tables.ts'

export interface Actor {
  readonly kind: 'user' | 'staff' | 'system'
  readonly userId: UserId | null
  readonly ip: string | null
  readonly requestId: string | null
}

export const SYSTEM: Actor = { kind: 'system', userId: null, ip: null, requestId: null }

export interface AuditEntry {
  /** Noun and past participle, such as `router.created` or `prefix.approved`. */
  readonly action: AuditAction
  readonly subject: { readonly type: string; readonly id: number | null }
  /** The user whose own audit log shows the entry. */
  readonly accountId: AccountId | null
  /** The values before and after, without secrets. */
  readonly data?: Readonly<Record<string, unknown>>
}

export async function audit(db: Db, actor: Actor, entry: AuditEntry): Promise<void> {
  await insertLine(db, {
    actor_id: actor.userId,
    actor_kind: actor.kind,
    action: entry.action,
    subject_type: entry.subject.type,
    subject_id: entry.subject.id,
    account_id: entry.accountId,
    ip: actor.ip,
    request_id: actor.requestId,
    data: JSON.stringify(entry.data ?? {}),
  })
  await enqueueAuditWebhookEvent(db, entry)
}

type Line = Pick<
  Insertable<AuditEventsTable>,
  'actor_id' | 'actor_kind' | 'action' | 'subject_type' | 'subject_id' | 'account_id' | 'ip' | 'request_id' | 'data'
>
const LINE_COLUMNS = [
  'actor_id',
  'actor_kind',
  'action',
  'subject_type',
  'subject_id',
  'account_id',
  'ip',
  'request_id',
  'data',
] as const

const insertLine = preparedQuery(LINE_COLUMNS, (db, line: Places<Line>) =>
  db.insertInto('audit_events').values({
    actor_id: line.actor_id,
    actor_kind: line.actor_kind,
    action: line.action,
    subject_type: line.subject_type,
    subject_id: line.subject_id,
    account_id: line.account_id,
    ip: line.ip,
    request_id: line.request_id,
    data: line.data,
  }),
)
