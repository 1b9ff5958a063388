import type { AuditActionOf } from '../../kernel/audit-actions.ts'
import { explainSessionError } from '../../kernel/bgp-errors.ts'
import { formatUtc } from '../../kernel/utc.ts'
import { because, text, type ActivityMessages, type AuditData } from '../../ui/components/audit-data.ts'

const prefix = (data: AuditData): string => `Prefix ${text(data, 'value')}`

type ActivityAction = Exclude<
  AuditActionOf<'transit', 'connection' | 'prefix' | 'prefix_quota' | 'maintenance'>,
  'prefix.decision_undone'
>

export const TRANSIT_ACTIVITY: ActivityMessages<ActivityAction> = {
  'connection.changed': 'The transit connection was changed',
  'prefix_quota.changed': (data) => `Prefix quota was changed${because(data)}`,
  'connection.sessions_enabled': 'The BGP sessions were enabled',
  'connection.sessions_shut_down': (data) =>
    `The BGP sessions were shut down${text(data, 'message') && `: ${text(data, 'message')}`}`,
  'connection.drain_began': (data) => `The BGP sessions were drained for ${text(data, 'minutes')} minutes`,
  'connection.drain_ended': 'The drain of the BGP sessions ended',
  'connection.password_planned': 'A new MD5 key of the BGP sessions was planned',
  'connection.password_tried': 'The edge tries the new MD5 key of the BGP sessions',
  'connection.password_kept': 'The new MD5 key of the BGP sessions is in use',
  'connection.password_returned': 'No session came up with the new MD5 key; the edge uses the old one again',
  'connection.password_cancelled': 'The new MD5 key of the BGP sessions was canceled',
  'connection.bfd_enabled': (data) => `BFD was turned on for the IPv${text(data, 'family')} session`,
  'connection.bfd_disabled': (data) => `BFD was turned off for the IPv${text(data, 'family')} session`,
  'connection.limit_exceeded': (data) =>
    `The IPv${text(data, 'family')} session was closed: more than ${text(data, 'limit')} routes${text(data, 'accepted') && `, or more than ${text(data, 'accepted')} accepted`}`,
  'connection.limit_cleared': (data) => `The route limit of the IPv${text(data, 'family')} session was cleared`,
  'connection.limit_requested': (data) =>
    `${text(data, 'routes')} routes were requested for the IPv${text(data, 'family')} session`,
  'connection.limit_granted': (data) =>
    `The route limit of the IPv${text(data, 'family')} session was set to ${text(data, 'routes')}${because(data)}`,
  'connection.limit_declined': (data) =>
    `A higher route limit of the IPv${text(data, 'family')} session was declined${because(data)}`,
  'connection.session_lost': (data) =>
    `The IPv${text(data, 'family')} session was lost at ${formatUtc(text(data, 'since'))}${text(data, 'error') && `: ${explainSessionError(text(data, 'error'))?.cause ?? text(data, 'error')}`}`,
  'connection.session_restored': (data) =>
    `The IPv${text(data, 'family')} session was established again at ${formatUtc(text(data, 'since'))}`,
  'connection.blackhole_added': (data) =>
    `Traffic to ${text(data, 'address')} is dropped for ${text(data, 'minutes')} minutes`,
  'connection.blackhole_removed': (data) => `Traffic to ${text(data, 'address')} is no longer dropped`,
  'connection.blackhole_ended': (data) => `The blackhole of ${text(data, 'address')} ended`,
  'maintenance.announced': (data) => `You were notified of planned maintenance: ${text(data, 'title')}`,
  'maintenance.changed': (data) => `You were notified of a change of planned maintenance: ${text(data, 'title')}`,
  'maintenance.cancelled': (data) =>
    `You were notified that maintenance is canceled: ${text(data, 'title')}${because(data)}`,
  'prefix.requested': (data) => `${prefix(data)} was requested`,
  'prefix.approved': (data) => `${prefix(data)} was approved`,
  'prefix.first_approval': (data) => `${prefix(data)} was approved by the first of two people`,
  'prefix.contact_link': (data) => `${prefix(data)}: link to a registry contact ${text(data, 'step')}`,
  'prefix.loa_signed': (data) => `${prefix(data)}: letter of authorization signed by ${text(data, 'signatory')}`,
  'prefix.loa_revoked': (data) => `${prefix(data)}: letter of authorization revoked`,
  'prefix.rejected': (data) => `${prefix(data)} was rejected${because(data)}`,
  'prefix.suspended': (data) => `${prefix(data)} was suspended${because(data)}`,
  'prefix.withdrawn': (data) => `${prefix(data)} was withdrawn`,
  'prefix.needs_action': (data) => `${prefix(data)} needs your action${because(data)}`,
  'prefix.checks_passed': (data) => `${prefix(data)} passed its checks`,
  'prefix.asn_changed': (data) => `${prefix(data)} was suspended${because(data)}`,
  'prefix.resumed': (data) => `${prefix(data)} was resubmitted`,
  'prefix.flagged': (data) => `${prefix(data)} lost its ROA or route object${because(data)}`,
  'prefix.unflagged': (data) => `${prefix(data)} has its ROA or route object back`,
}
