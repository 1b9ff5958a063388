/** The sentence of each audit log entry, combined from the slices that write the entries. */
import { AUDIT_ACTIONS, type AuditAction } from '../../../kernel/audit-actions.ts'
import { ACCOUNTS_SENTENCES } from '../../../accounts/portal/staff/audit-sentences.ts'
import { BILLING_SENTENCES } from '../../../billing/portal/staff/audit-sentences.ts'
import { ROUTERS_SENTENCES } from '../../../routers/portal/staff/audit-sentences.ts'
import { TRANSIT_SENTENCES } from '../../../transit/portal/staff/audit-sentences.ts'
import { text } from '../../../ui/components/audit-data.ts'
import type { AuditSentences } from '../../../ui/staff/audit-sentences.ts'
import { WEBHOOKS_SENTENCES } from '../../../webhooks/portal/staff/audit-sentences.ts'
import type { StaffAuditEvent } from './api.ts'
import { ADMIN_SENTENCES } from './own-sentences.ts'

const SENTENCES: AuditSentences<AuditAction> = {
  ...ACCOUNTS_SENTENCES,
  ...ROUTERS_SENTENCES,
  ...TRANSIT_SENTENCES,
  ...BILLING_SENTENCES,
  ...WEBHOOKS_SENTENCES,
  ...ADMIN_SENTENCES,
}

export interface SaidEvent {
  /** The actor. */
  readonly actor: string
  /** The text before the object. */
  readonly does: string
  /** The object; null if the text names it already. */
  readonly it: string | null
  /** The text after the object, or after all other text if there is none. */
  readonly rest: string
  /** The owner, if that is neither the actor nor the object. */
  readonly of: string | null
  readonly reason: string
}

export function sayEvent(event: StaffAuditEvent): SaidEvent {
  const { action, actor, subject, userId, userName, data } = event
  const sentence = SENTENCES[action as AuditAction] as AuditSentences<string>[string] | undefined
  // The entry comes from a release with other actions.
  const words = typeof sentence === 'function' ? sentence(data) : (sentence ?? `recorded ${action} on {it}`)
  const [does = '', rest] = words.split('{it}')
  const isUser = subject.type === 'user'
  const own = isUser && subject.id === actor.id && subject.id !== null
  const named = rest !== undefined && isUser
  return {
    actor: actor.id === null ? 'System' : (actor.name ?? actor.email ?? `User ${actor.id}`),
    does: does.trim(),
    it: rest === undefined ? null : own ? 'their own account' : nameOfSubject(event),
    rest: rest ?? '',
    of: userId === null || userId === actor.id || named ? null : (userName ?? `user ${userId}`),
    reason: text(data, 'reason'),
  }
}

/** Returns the sentence as one line of text, for titles and downloads. */
export function sentenceOf(event: StaffAuditEvent): string {
  const { actor, does, it, rest, of, reason } = sayEvent(event)
  const object = it === null ? '' : ` ${it}`
  return `${actor} ${does}${object}${rest}${of === null ? '' : `, for ${of}`}${reason && `: ${reason}`}`
}

export function nameOfSubject({ subject: { type, id }, userName, data }: StaffAuditEvent): string {
  if (type === 'user') return userName ?? (id === null ? 'a user' : `user ${id}`)
  const kind = type.replaceAll('_', ' ')
  const name = ['value', 'number', 'name', 'slug', 'prefix4'].map((key) => text(data, key)).find((one) => one !== '')
  if (name !== undefined) return `${kind} ${name}`
  return id === null ? kind : `${kind} ${id}`
}

export const KNOWN_ACTIONS: readonly AuditAction[] = Object.values(AUDIT_ACTIONS).flat()
