import type { AuditActionOf } from '../../../kernel/audit-actions.ts'
import { formatAsn } from '../../../kernel/asn.ts'
import { text, type AuditData } from '../../../ui/components/audit-data.ts'
import type { AuditSentences } from '../../../ui/staff/audit-sentences.ts'

const CONNECTION_FIELDS = {
  asn: 'ASN',
  asSet: 'AS-SET',
  routerId: 'router',
  enabled: 'state',
  exports: 'routes sent',
  password: 'MD5 key',
} as const

const valueOf = (name: string, data: AuditData): string => {
  const value = data[name]
  if (name === 'asn' && typeof value === 'number') return ` (${formatAsn(value)})`
  if (name === 'enabled') return value === true ? ' (on)' : ' (off)'
  return name === 'asSet' ? ` (${text(data, name) || 'none'})` : ''
}

export const TRANSIT_SENTENCES: AuditSentences<AuditActionOf<'transit'>> = {
  'connection.changed': (data) => {
    const fields = Object.entries(CONNECTION_FIELDS).filter(([name]) => name in data)
    const words = fields.map(([name, label]) => label + valueOf(name, data)).join(', ')
    return words === '' ? 'changed {it}' : `changed the ${words} of {it}`
  },
  'connection.sessions_enabled': 'enabled the BGP sessions of {it}',
  'connection.sessions_shut_down': 'shut down the BGP sessions of {it}',
  'connection.drain_began': 'drained the BGP sessions of {it}',
  'connection.drain_ended': 'ended the drain of {it}',
  'connection.password_planned': 'planned a new MD5 key for {it}',
  'connection.password_tried': 'tried the new MD5 key of {it}',
  'connection.password_kept': 'kept the new MD5 key of {it}',
  'connection.password_returned': 'returned {it} to its old MD5 key',
  'connection.password_cancelled': 'canceled the new MD5 key of {it}',
  'connection.bfd_enabled': (data) => `turned on BFD for the IPv${text(data, 'family')} session of {it}`,
  'connection.bfd_disabled': (data) => `turned off BFD for the IPv${text(data, 'family')} session of {it}`,
  'connection.limit_exceeded': 'saw {it} exceed its route limit',
  'connection.limit_cleared': 'cleared the route limit of {it}',
  'connection.limit_requested': 'asked for a higher route limit of {it}',
  'connection.limit_granted': 'granted a higher route limit to {it}',
  'connection.limit_declined': 'declined a higher route limit for {it}',
  'connection.session_lost': (data) => `reported the IPv${text(data, 'family')} session of {it} lost`,
  'connection.session_restored': (data) => `reported the IPv${text(data, 'family')} session of {it} restored`,
  'connection.blackhole_added': (data) => `blackholed ${text(data, 'address')} on {it}`,
  'connection.blackhole_removed': (data) => `removed the blackhole of ${text(data, 'address')} from {it}`,
  'connection.blackhole_ended': (data) => `ended the blackhole of ${text(data, 'address')} on {it}`,
  'prefix.decision_undone': 'undid the decision on {it}',
  'prefix.requested': 'requested {it}',
  'prefix.approved': 'approved {it}',
  'prefix.first_approval': 'approved {it} as the first of two people',
  'prefix.contact_link': (data) => `updated a registry contact’s link for {it} (${text(data, 'step')})`,
  'prefix.loa_signed': (data) => `signed a letter of authorization for {it} as ${text(data, 'signatory')}`,
  'prefix.loa_revoked': 'revoked a letter of authorization for {it}',
  'prefix.rejected': 'rejected {it}',
  'prefix.suspended': 'suspended {it}',
  'prefix.withdrawn': 'withdrew {it}',
  'prefix.needs_action': 'asked for changes to {it}',
  'prefix.checks_passed': 'found that {it} passes its checks',
  'prefix.asn_changed': 'suspended {it} because the ASN changed',
  'prefix.resumed': 'resubmitted {it}',
  'prefix.flagged': 'saw {it} lose its ROA or route object',
  'prefix.unflagged': 'saw {it} get its ROA or route object back',
  'prefix_quota.changed': 'changed the prefix quota of {it}',
  'prefix_policy.changed': 'changed the approval policy',
  'edge.added': 'added {it}',
  'edge.changed': 'changed {it}',
  'edge.removed': 'removed {it}',
  'edge.maintenance_began': 'started maintenance of {it}',
  'edge.maintenance_ended': 'ended maintenance of {it}',
  'edge.load_confirmed': 'confirmed a load of {it}',
  'edge.reverted': 'reverted {it} to an earlier load',
  'edge.revert_ended': 'ended the revert of {it}',
  'maintenance_window.created': (data) => `announced the maintenance “${text(data, 'title')}”`,
  'maintenance_window.changed': (data) => `changed the maintenance “${text(data, 'title')}”`,
  'maintenance_window.cancelled': (data) => `canceled the maintenance “${text(data, 'title')}”`,
  'maintenance.announced': (data) => `notified the customer of the maintenance “${text(data, 'title')}”`,
  'maintenance.changed': (data) => `notified the customer of a change of the maintenance “${text(data, 'title')}”`,
  'maintenance.cancelled': (data) => `notified the customer that the maintenance “${text(data, 'title')}” is canceled`,
}
