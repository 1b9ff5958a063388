/** The tables that the platform writes. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import type { Generated } from 'kysely'

export interface AuditEventsTable {
  id: Generated<number>
  at: Generated<Date>
  actor_id: UserId | null
  actor_kind: 'user' | 'staff' | 'system'
  action: string
  subject_type: string
  subject_id: number | null
  account_id: AccountId | null
  ip: string | null
  request_id: string | null
  data: Generated<unknown>
}

/** A trigger writes these as the entry's transaction ends. */
export interface AuditLinksTable {
  position: number
  event_id: number
  prev_hash: Buffer
  hash: Buffer
}

export interface AuditHeadTable {
  id: number
  position: number
  hash: Buffer
}

export interface OutgoingMailTable {
  id: Generated<number>
  message_id: string
  user_id: UserId | null
  to_address: string
  subject: string
  /** Encrypted text and HTML; null once the email was sent, or is not needed any more. */
  encrypted_body: Generated<Buffer | null>
  created_at: Generated<Date>
  attempts: Generated<number>
  next_attempt_at: Generated<Date>
  sent_at: Date | null
  failed_at: Date | null
  /** Staff have read that it could not be delivered. */
  dismissed_at: Generated<Date | null>
  last_error: string | null
}

/** `webhook-outbox.ts` inserts the rows; the webhooks slice dispatches and removes them. */
export interface OutgoingEventsTable {
  id: Generated<number>
  message_id: Generated<string>
  account_id: AccountId
  type: string
  subject_type: string
  subject_id: number | null
  data: Generated<Record<string, unknown>>
  occurred_at: Generated<Date>
  body: string | null
  dispatched_at: Date | null
}

export interface SiteContentTable {
  id: Generated<number>
  support_email: string | null
  feature_url: string | null
  terms_url: string | null
  mail_footer: string | null
  invoice_footer: string | null
  notice: string | null
  notice_tone: Generated<'info' | 'warn'>
  notice_from: Date | null
  notice_until: Date | null
}

export interface IdempotencyKeysTable {
  caller: string
  key: string
  endpoint: string
  body_digest: Buffer
  status: number | null
  answer: unknown
  created_at: Generated<Date>
  /** The application name of the process that claimed it. */
  owner: Generated<string>
}

declare module './db/tables.ts' {
  interface Tables {
    audit_events: AuditEventsTable
    audit_links: AuditLinksTable
    audit_head: AuditHeadTable
    outgoing_mail: OutgoingMailTable
    outgoing_events: OutgoingEventsTable
    site_content: SiteContentTable
    idempotency_keys: IdempotencyKeysTable
  }
}
