/** Audit log messages. An unknown action is described by its own name. */
import { formatAsn } from '../../../kernel/asn.ts'
import { explainSessionError } from '../../../kernel/bgp-errors.ts'
import type { AuditEvent } from '../../contract.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'
import { formatUtc } from '../../../kernel/utc.ts'
import { MONEY } from './billing-audit-messages.ts'
import { because, text, type Data, type EventMessage } from './audit-data.ts'

const named = (data: Data): string => (text(data, 'name') ? `“${text(data, 'name')}”` : 'an unnamed one')
const asn = (data: Data): string => (typeof data['asn'] === 'number' ? formatAsn(data['asn']) : 'the ASN')
const router = (data: Data): string => (text(data, 'name') ? `Router “${text(data, 'name')}”` : 'A router')
const prefix = (data: Data): string => `Prefix ${text(data, 'value')}`
const inner = (data: Data, name: string): Data => {
  const value = data[name]
  return typeof value === 'object' && value !== null ? (value as Data) : {}
}
const list = (data: Data, name: string): string => {
  const value = data[name]
  return Array.isArray(value) ? value.join(', ') : ''
}
const PROOFS: Readonly<Record<string, string>> = {
  staff: 'manual review by staff',
  staff_link: 'by a link that staff passed on',
  autnum_token: 'by a registry remark',
  peeringdb: 'by PeeringDB',
}

const RESENT: Readonly<Record<string, string>> = {
  confirmation: 'another link that confirms your address',
  password_reset: 'a password reset link',
}

const RISKS: Readonly<Record<string, string>> = {
  expired: 'its proof expired',
  holder_changed: 'the registered holder changed',
  unallocated: 'the registry lists no holder',
}
const risk = (data: Data): string => RISKS[text(data, 'cause')] ?? 'its proof is no longer valid'

function billingStatus(before: Data, after: Data): string {
  if (after['suspended'] === true) return `The account was suspended${because(after)}`
  if (before['suspended'] === true) return 'The account is no longer suspended'
  if (before['mayBeBilled'] !== after['mayBeBilled'])
    return after['mayBeBilled'] === true
      ? 'Ordering enabled: payment method added'
      : 'Ordering disabled: no payment method'
  return 'The account’s billing status changed'
}

const ACCOUNT: Readonly<Record<string, EventMessage>> = {
  'account.signed_up': 'The account was created',
  'account.sign_up_repeated': 'Someone signed up with your address again; nothing changed',
  'account.staff_granted': 'Staff access was granted',
  'account.roles_changed': (data) => `The roles were changed to ${list(data, 'after')}`,
  'account.staff_revoked': 'Staff access was removed',
  'impersonation.started': (data) => `Support (${text(data, 'staff')}) viewed your account${because(data)}`,
  'impersonation.elevated': (data) =>
    `Support (${text(data, 'staff')}) enabled changes to your account${because(data)}`,
  'impersonation.action_taken': (data) => `Support ${text(data, 'auditMessage') || 'made a change for you'}`,
  'impersonation.ended': (data) => `Support (${text(data, 'staff')}) stopped viewing your account`,
  'account.changed': 'The name was changed',
  'account.billing_status_changed': (data) => billingStatus(inner(data, 'before'), inner(data, 'after')),
  'account.suspended': (data) => `Staff suspended the account${because(data)}`,
  'account.suspension_lifted': 'Staff lifted the suspension of the account',
  'email.verified': 'The email address was confirmed',
  'email.change_requested': (data) => `A change of the email address to ${text(data, 'email')} was requested`,
  'email.changed': (data) => `The email address was changed from ${text(data, 'from')} to ${text(data, 'to')}`,
  'session.started': (data) => `Signed in with ${describeBrowser(text(data, 'userAgent'))}`,
  'session.ended': 'A session ended',
  'session.ended_by_staff': 'Staff ended all sessions',
  'email.resent': (data) => `Staff sent you ${RESENT[text(data, 'email')] ?? 'an email'}`,
  'session.others_ended': 'All other sessions were ended',
  'password.reset_requested': 'A password reset was requested',
  'password.changed': 'The password was changed',
  'totp.switched_on': 'The authenticator app was switched on',
  'totp.switched_off': 'The authenticator app was switched off',
  'second_factor.codes_refused': 'Wrong codes were entered after the right password',
  'second_factor_reset.requested': 'Staff requested a reset of your second factor',
  'second_factor_reset.approved': (data) =>
    `Staff approved the reset of your second factor; due on ${formatUtc(text(data, 'dueAt'))}`,
  'second_factor_reset.cancelled': 'Staff canceled the reset of your second factor',
  'second_factor_reset.stopped': (data) =>
    `The reset of your second factor was stopped${text(data, 'by') === 'link' ? ' with the link of an email' : ''}`,
  'second_factor_reset.expired': 'The reset of your second factor expired without an approval',
  'second_factor_reset.factor_used': 'The reset of your second factor ended because a second factor was used',
  'second_factor_reset.completed':
    'Your second factor was reset: authenticator app, passkeys and recovery codes were removed',
  'recovery_code.used': 'A recovery code was used to sign in',
  'recovery_codes.renewed': 'New recovery codes were generated',
  'passkey.added': (data) => `Passkey ${named(data)} was added`,
  'passkey.renamed': (data) => `A passkey was renamed to ${named(data)}`,
  'passkey.removed': (data) => `Passkey ${named(data)} was removed`,
  'mail_preferences.changed': 'The email notifications were changed',
  'api_token.created': (data) => `API token ${named(data)} was created`,
  'api_token.revoked': (data) => `API token ${named(data)} was revoked`,
  'ssh_key.added': (data) => `SSH key ${named(data)} was added`,
  'ssh_key.removed': (data) => `SSH key ${named(data)} was removed`,
  'asn.claimed': (data) => `${asn(inner(data, 'after'))} was registered`,
  'asn.proof_begun': (data) => `Verification of ${asn(data)} by a registry remark was started`,
  'asn.verification_sent': (data) => `A link to verify ${asn(data)} was sent to ${text(data, 'to')}`,
  'asn.verified': (data) => {
    const by = text(data, 'by')
    const session = text(data, 'followedBy') === 'customer' ? ', from your own session' : ''
    return `${asn(data)} was verified${by ? `, ${PROOFS[by] ?? `by ${by}`}` : ''}${session}`
  },
  'asn.at_risk': (data) =>
    `${asn(data)} must be verified again by ${text(data, 'lapsesAt').slice(0, 10)}: ${risk(data)}`,
  'asn.confirmed': (data) => `The issue with ${asn(data)} was resolved`,
  'asn.lapsed': (data) => `${asn(data)} is no longer verified: ${risk(data)}`,
}

const STAFF_ACTIONS: Readonly<Record<string, string>> = {
  start: 'started',
  shutdown: 'shut down',
  reboot: 'rebooted',
  stop: 'stopped',
  reset: 'reset',
}

const NETWORK: Readonly<Record<string, EventMessage>> = {
  'router.created': (data) => `Router ${named(data)} was ordered`,
  'router.renamed': (data) => `A router was renamed from “${text(data, 'before')}” to “${text(data, 'after')}”`,
  'router.resized': (data) => `${router(data)} was moved from plan ${text(data, 'before')} to ${text(data, 'after')}`,
  'router.action_requested': (data) => {
    const [action, reason] = [text(data, 'action'), text(data, 'reason')]
    // Only staff give reasons.
    return reason
      ? `Staff ${STAFF_ACTIONS[action] ?? action} router ${named(data)}: ${reason}`
      : `${router(data)} received the command: ${action}`
  },
  'router.protection_changed': (data) =>
    `Deletion protection of router ${named(data)} was switched ${data['protected'] === true ? 'on' : 'off'}${because(data)}`,
  'router.delete_requested': (data) => {
    const until = text(data, 'until')
    return `Router ${named(data)} was deleted${until && `; it can be restored until ${formatUtc(until)}`}`
  },
  'router.restored': (data) => `Router ${named(data)} was restored`,
  'router.deleted': (data) => `Router ${named(data)} was removed`,
  'router.reachable': (data) => `${router(data)} came online`,
  'router.moved': (data) => `${router(data)} is being created on another host${because(data)}`,
  'router.failed': (data) => `${router(data)} failed${because(data)}`,
  'router.recovered': (data) => `${router(data)} recovered`,
  'router.retried': (data) => `${router(data)} was retried immediately`,
  'router.crashed': (data) => `${router(data)} crashed and was restarted`,
  'router.guest_shutdown': (data) => `${router(data)} was shut down from its operating system`,
  'router.found_stopped': (data) => `${router(data)} was found off and is being started`,
  'router.silent_stopped': (data) => `${router(data)} was powered off${because(data)}`,
  'router.configuration_refused': (data) => `${router(data)} rejected its configuration${because(data)}`,
  'router.own_files_refused': (data) => `${router(data)} runs without the files in /data/bird.d${because(data)}`,
  'router.suspended': (data) => `${router(data)} was suspended`,
  'router.resumed': (data) => `${router(data)} was resumed`,
  'router.console_opened': (data) =>
    `The ${text(data, 'kind')} console of ${text(data, 'name') ? named(data) : 'a router'} was opened`,
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
  'maintenance.announced': (data) => `You were told of planned maintenance: ${text(data, 'title')}`,
  'maintenance.changed': (data) => `You were told of a change of planned maintenance: ${text(data, 'title')}`,
  'maintenance.cancelled': (data) =>
    `You were told that maintenance is canceled: ${text(data, 'title')}${because(data)}`,
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

const WEBHOOKS: Readonly<Record<string, EventMessage>> = {
  'webhook.added': (data) => `A webhook to ${text(data, 'url')} was added`,
  'webhook.changed': 'A webhook was changed',
  'webhook.removed': (data) => `The webhook to ${text(data, 'url')} was removed`,
  'webhook.secret_renewed': 'A webhook secret was rolled',
  'webhook.replayed': (data) => `${text(data, 'queued')} webhook messages were sent again`,
  'webhook.disabled': (data) => `The webhook to ${text(data, 'url')} was switched off${because(data)}`,
}

export function describeEvent({ action, data }: Pick<AuditEvent, 'action' | 'data'>): string {
  const words = ACCOUNT[action] ?? NETWORK[action] ?? MONEY[action] ?? WEBHOOKS[action]
  if (typeof words === 'function') return words(data)
  if (words) return words
  const [noun = '', auditMessage = ''] = action.replaceAll('_', ' ').split('.')
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${auditMessage}${because(data)}`
}
