/** Events of connections and prefixes: an audit log entry and a change event for each. */
import type { AccountId } from '../kernel/ids.ts'
import type { AuditActionOf } from '../kernel/audit-actions.ts'
import { audit, SYSTEM, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'
import { PREFIX_ACTIONS, type PrefixAction, type PrefixStatus } from './states.ts'

/** A prefix and its owner. */
export interface PrefixSubject {
  readonly id: number
  readonly account_id: AccountId
  readonly value: string
}

const DONE: Readonly<Record<PrefixAction, AuditActionOf<'transit'>>> = {
  approve: 'prefix.approved',
  reject: 'prefix.rejected',
  suspend: 'prefix.suspended',
  withdraw: 'prefix.withdrawn',
  request_changes: 'prefix.needs_action',
  recheck_passed: 'prefix.checks_passed',
  refute: 'prefix.needs_action',
  downstream_lost: 'prefix.suspended',
  space_lost: 'prefix.suspended',
  asn_changed: 'prefix.asn_changed',
  resume: 'prefix.resumed',
}

/** Records that `action` changed the status from `from`. */
export async function recordPrefixAction(
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  change: {
    readonly action: PrefixAction
    readonly from: PrefixStatus
    readonly reason: string | null
    /** The policy rule that allowed the approval. */
    readonly rule?: string
  },
): Promise<void> {
  const { action, ...data } = change
  await recordPrefix(db, actor, prefix, DONE[action], { ...data, to: PREFIX_ACTIONS[action].to })
}

export const recordPrefixRequested = (
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  announcementType: string,
): Promise<void> => recordPrefix(db, actor, prefix, 'prefix.requested', { announcementType })

/** Records the first of two required approvals. The prefix has not changed yet. */
export const recordFirstApproval = (db: Db, actor: Actor, prefix: PrefixSubject, reason: string): Promise<void> =>
  recordPrefix(db, actor, prefix, 'prefix.first_approval', { reason })

/** Records a step of a link to a registry contact. The contact's address is only in the link's row, which only staff can read. */
export const recordContactLink = (
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  link: { readonly link: number; readonly purpose: string; readonly step: string },
): Promise<void> => recordPrefix(db, actor, prefix, 'prefix.contact_link', link)

/** Records that a letter of authorization was signed or revoked. */
export const recordLoa = (
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  step: 'signed' | 'revoked',
  data: { readonly loa: number; readonly signatory: string },
): Promise<void> => recordPrefix(db, actor, prefix, `prefix.loa_${step}`, data)

/** Records that an approved prefix lost its proof (`reason`), or has it back (null). */
export const recordPrefixFlag = (db: Db, prefix: PrefixSubject, reason: string | null): Promise<void> =>
  recordPrefix(db, SYSTEM, prefix, reason === null ? 'prefix.unflagged' : 'prefix.flagged', { reason })

async function recordPrefix(
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  action: AuditActionOf<'transit'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'prefix', id: prefix.id },
    accountId: prefix.account_id,
    data: { value: prefix.value, ...data },
  })
  await publishPrefixChanged(db, prefix)
}

/** Publishes a change of the prefix that needs no audit log entry. */
export const publishPrefixChanged = (db: Db, prefix: Pick<PrefixSubject, 'id' | 'account_id'>): Promise<void> =>
  publish(db, { type: 'prefix', id: prefix.id, accountId: prefix.account_id })

/** Records an action on a connection, a change in its sessions, or an action on traffic for its addresses. */
export async function recordConnectionEvent(
  db: Db,
  actor: Actor,
  connection: { readonly id: number; readonly account_id: AccountId },
  action: AuditActionOf<'transit', 'connection'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'connection', id: connection.id },
    accountId: connection.account_id,
    data,
  })
  await publishConnectionChanged(db, connection)
}

/** Publishes a change of the connection that needs no audit log entry. */
export const publishConnectionChanged = (
  db: Db,
  connection: { readonly id: number; readonly account_id: AccountId },
): Promise<void> => publish(db, { type: 'connection', id: connection.id, accountId: connection.account_id })

interface SessionContext {
  readonly connection_id: number
  readonly family: number
  readonly state: string
  readonly last_error: string | null
}

/** Records, once each, that a session was down long enough to alert its owner, or is back after that. Compare {@link publishSession}. */
export async function recordSessionAlert(
  db: Db,
  connection: { readonly id: number; readonly account_id: AccountId },
  change: 'lost' | 'restored',
  session: { readonly family: 4 | 6; readonly since: Date | null; readonly error: string | null },
): Promise<void> {
  await recordConnectionEvent(db, SYSTEM, connection, `connection.session_${change}`, { ...session })
  const subject = { type: 'session', id: connection.id }
  await enqueueWebhookEvents(db, [
    { type: `session.${change}`, accountId: connection.account_id, subject, data: { ...session } },
  ])
}

/** Publishes a session change. Customers get a webhook when a session comes up or goes down; the steps between only update the screen. */
export async function publishSession(
  db: Db,
  accountId: AccountId,
  session: SessionContext,
  from: string | null,
): Promise<void> {
  const [was, is] = [from === 'ESTABLISHED', session.state === 'ESTABLISHED']
  if (was === is) return
  const { family, state: to, last_error: error } = session
  const subject = { type: 'session', id: session.connection_id }
  await enqueueWebhookEvents(db, [
    { type: is ? 'session.up' : 'session.down', accountId, subject, data: { family, from, to, error } },
  ])
}

interface MaintenanceSubject {
  readonly id: number
  readonly title: string
  readonly effect: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly cancelled_reason: string | null
}

/** Records what staff did with a maintenance window. The worker reacts to it and notifies the customers. */
export async function recordMaintenanceWindow(
  db: Db,
  actor: Actor,
  did: 'created' | 'changed' | 'cancelled',
  planned: MaintenanceSubject,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { id, title, effect, starts_at: startsAt, ends_at: endsAt } = planned
  await audit(db, actor, {
    action: `maintenance_window.${did}`,
    subject: { type: 'maintenance_window', id },
    accountId: null,
    data: { title, ...(did === 'created' && { effect, startsAt, endsAt }), ...data },
  })
  await publish(db, { type: 'maintenance', id, accountId: null })
}

/** Records that a customer was notified of the window. */
export async function recordMaintenanceNotice(
  db: Db,
  accountId: AccountId,
  notice: 'announced' | 'changed' | 'cancelled',
  planned: MaintenanceSubject,
): Promise<void> {
  const { id, title, effect, starts_at: startsAt, ends_at: endsAt, cancelled_reason: reason } = planned
  await audit(db, SYSTEM, {
    action: `maintenance.${notice}`,
    subject: { type: 'maintenance_window', id },
    accountId,
    data: { title, effect, startsAt, endsAt, ...(reason !== null && { reason }) },
  })
  await publish(db, { type: 'maintenance', id, accountId })
}

export async function recordEdgeEvent(
  db: Db,
  actor: Actor,
  action: AuditActionOf<'transit', 'edge'>,
  id: number,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(db, actor, { action, subject: { type: 'edge', id }, accountId: null, data })
  await publish(db, { type: 'edge', id, accountId: null })
}
