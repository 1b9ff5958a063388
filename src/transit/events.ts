/** What happens to connections and prefixes: each a line in the owner's trail and a word to whoever shows it. */
import { audit, SYSTEM, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { enqueueWebhookEvents } from '../platform/webhook-outbox.ts'
import { PREFIX_ACTIONS, type PrefixAction, type PrefixStatus } from './states.ts'

/** Whose prefix, and which. */
export interface PrefixSubject {
  readonly id: number
  readonly user_id: number
  readonly value: string
}

const DONE: Readonly<Record<PrefixAction, string>> = {
  approve: 'prefix.approved',
  reject: 'prefix.rejected',
  suspend: 'prefix.suspended',
  withdraw: 'prefix.withdrawn',
  request_changes: 'prefix.needs_action',
  recheck_passed: 'prefix.checks_passed',
  refute: 'prefix.needs_action',
  downstream_lost: 'prefix.suspended',
  asn_changed: 'prefix.asn_changed',
  resume: 'prefix.resumed',
}

/** The status changed from `from` by `action`. */
export async function recordPrefixAction(
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  change: {
    readonly action: PrefixAction
    readonly from: PrefixStatus
    readonly reason: string | null
    /** The rule that let it pass. */
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

/** The first of two people approved it; nothing has changed yet. */
export const recordFirstApproval = (db: Db, actor: Actor, prefix: PrefixSubject, reason: string): Promise<void> =>
  recordPrefix(db, actor, prefix, 'prefix.first_approval', { reason })

/** Of a link to a registry contact. Whose address it went to stands in its row, for staff alone. */
export const recordContactLink = (
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  link: { readonly link: number; readonly purpose: string; readonly step: string },
): Promise<void> => recordPrefix(db, actor, prefix, 'prefix.contact_link', link)

/** An approved prefix lost its proof (`reason`), or has it back (null). */
export const recordPrefixFlag = (db: Db, prefix: PrefixSubject, reason: string | null): Promise<void> =>
  recordPrefix(db, SYSTEM, prefix, reason === null ? 'prefix.unflagged' : 'prefix.flagged', { reason })

async function recordPrefix(
  db: Db,
  actor: Actor,
  prefix: PrefixSubject,
  action: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(db, actor, {
    action,
    subject: { type: 'prefix', id: prefix.id },
    userId: prefix.user_id,
    data: { value: prefix.value, ...data },
  })
  await publishPrefixChanged(db, prefix)
}

/** Something about it changed that is worth no line in the trail. */
export const publishPrefixChanged = (db: Db, prefix: Pick<PrefixSubject, 'id' | 'user_id'>): Promise<void> =>
  publish(db, { type: 'prefix', id: prefix.id, userId: prefix.user_id })

export async function recordConnectionChange(
  db: Db,
  actor: Actor,
  connection: { readonly id: number; readonly user_id: number },
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(db, actor, {
    action: 'connection.changed',
    subject: { type: 'connection', id: connection.id },
    userId: connection.user_id,
    data: changes,
  })
  await publishConnectionChanged(db, connection)
}

/** Something about it changed that is worth no line in the trail. */
export const publishConnectionChanged = (
  db: Db,
  connection: { readonly id: number; readonly user_id: number },
): Promise<void> => publish(db, { type: 'connection', id: connection.id, userId: connection.user_id })

interface SessionContext {
  readonly connection_id: number
  readonly family: number
  readonly state: string
  readonly last_error: string | null
}

/** Customers hear of a session that came up or went down; the steps between are on the screen. */
export async function publishSession(
  db: Db,
  userId: number,
  session: SessionContext,
  from: string | null,
): Promise<void> {
  const [was, is] = [from === 'ESTABLISHED', session.state === 'ESTABLISHED']
  if (was === is) return
  const { family, state: to, last_error: error } = session
  const subject = { type: 'session', id: session.connection_id }
  await enqueueWebhookEvents(db, [
    { type: is ? 'session.up' : 'session.down', userId, subject, data: { family, from, to, error } },
  ])
}
