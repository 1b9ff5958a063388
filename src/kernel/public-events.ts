/**
 * The webhook event types, each with its area of the API and a description of when it is sent. Names never change:
 * customers' programs depend on them.
 */
import type { Area } from './scope.ts'

export const PUBLIC_EVENTS = {
  'router.created': { area: 'routers', when: 'a router was ordered' },
  'router.state_changed': { area: 'routers', when: 'the state of a router changed' },
  'router.configuration_refused': { area: 'routers', when: 'the routing daemon rejected its configuration' },
  'router.own_files_refused': { area: 'routers', when: 'the routing daemon runs without the files in /data/bird.d' },
  'router.deleted': { area: 'routers', when: 'a router was removed' },
  'connection.changed': { area: 'transit', when: 'the transit connection was changed' },
  'prefix.requested': { area: 'transit', when: 'a prefix was requested' },
  'prefix.status_changed': { area: 'transit', when: 'the status of a prefix changed' },
  'prefix.flagged': { area: 'transit', when: 'an approved prefix lost its proof in RPKI or IRR' },
  'prefix.unflagged': { area: 'transit', when: 'an approved prefix has its ROA or route object back' },
  'session.up': { area: 'transit', when: 'a BGP session was established' },
  'session.down': { area: 'transit', when: 'an established BGP session ended, at each flap' },
  'session.lost': {
    area: 'transit',
    when: 'a BGP session has been down for minutes, or exceeded its route limit; once, beside the email',
  },
  'session.restored': { area: 'transit', when: 'a BGP session that was reported lost is back' },
  'maintenance.announced': { area: 'transit', when: 'planned maintenance was announced that affects the account' },
  'maintenance.changed': { area: 'transit', when: 'announced maintenance was changed' },
  'maintenance.cancelled': { area: 'transit', when: 'announced maintenance was canceled' },
  'asn.verified': { area: 'transit', when: 'an ASN was proved' },
  'asn.lapsed': { area: 'transit', when: 'the verification of an ASN expired' },
  'invoice.issued': { area: 'billing', when: 'an invoice was issued' },
  'invoice.paid': { area: 'billing', when: 'an invoice was paid' },
  'invoice.overdue': { area: 'billing', when: 'an invoice was not paid in time' },
  'invoice.credited': { area: 'billing', when: 'a credit note was issued' },
  'payment.declined': { area: 'billing', when: 'a payment was declined' },
} as const satisfies Record<string, { readonly area: Area; readonly when: string }>

export type PublicEventType = keyof typeof PUBLIC_EVENTS
export const PUBLIC_EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as readonly PublicEventType[]
/** Sent only when an endpoint's owner requests it, to that endpoint; it cannot be subscribed to. */
export const PING = 'webhook.ping'

/** Audit actions whose webhook event has another name. */
const WEBHOOK_EVENT_BY_ACTION: Readonly<Record<string, PublicEventType>> = {
  'connection.sessions_enabled': 'connection.changed',
  'connection.sessions_shut_down': 'connection.changed',
  'connection.drain_began': 'connection.changed',
  'connection.drain_ended': 'connection.changed',
  'connection.bfd_enabled': 'connection.changed',
  'connection.bfd_disabled': 'connection.changed',
  'connection.limit_exceeded': 'connection.changed',
  'connection.limit_cleared': 'connection.changed',
  'connection.limit_granted': 'connection.changed',
  'prefix.approved': 'prefix.status_changed',
  'prefix.rejected': 'prefix.status_changed',
  'prefix.suspended': 'prefix.status_changed',
  'prefix.withdrawn': 'prefix.status_changed',
  'prefix.needs_action': 'prefix.status_changed',
  'prefix.checks_passed': 'prefix.status_changed',
  'prefix.asn_changed': 'prefix.status_changed',
  'prefix.resumed': 'prefix.status_changed',
}

/** Returns the webhook event of an audit action, or null if none is sent. */
export const publicEventOf = (action: string): PublicEventType | null =>
  WEBHOOK_EVENT_BY_ACTION[action] ?? (action in PUBLIC_EVENTS ? (action as PublicEventType) : null)
