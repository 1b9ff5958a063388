/** The messages of a customer's activity list, combined from the slices that write the entries. */
import type { AuditEvent } from '../../contract.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'
import { formatUtc } from '../../../kernel/utc.ts'
import { BILLING_ACTIVITY } from '../../../billing/portal/activity-messages.ts'
import type { AuditActionOf } from '../../../kernel/audit-actions.ts'
import { ROUTER_ACTIVITY } from '../../../routers/portal/activity-messages.ts'
import { TRANSIT_ACTIVITY } from '../../../transit/portal/activity-messages.ts'
import {
  asnText,
  because,
  listText,
  quotedName,
  text,
  type ActivityMessage,
  type ActivityMessages,
  type AuditData,
} from '../../../ui/components/audit-data.ts'
import { WEBHOOK_ACTIVITY } from '../../../webhooks/portal/activity-messages.ts'

const inner = (data: AuditData, name: string): AuditData => {
  const value = data[name]
  return typeof value === 'object' && value !== null ? (value as AuditData) : {}
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
const risk = (data: AuditData): string => RISKS[text(data, 'cause')] ?? 'its proof is no longer valid'

function billingStatus(before: AuditData, after: AuditData): string {
  if (after['suspended'] === true) return `The account was suspended${because(after)}`
  if (before['suspended'] === true) return 'The account is no longer suspended'
  if (before['mayBeBilled'] !== after['mayBeBilled'])
    return after['mayBeBilled'] === true
      ? 'Ordering enabled: payment method added'
      : 'Ordering disabled: no payment method'
  return 'The account’s billing status changed'
}

type StaffOnly = AuditActionOf<'accounts', 'agent' | 'user_note'>

const ACCOUNT_ACTIVITY: ActivityMessages<Exclude<AuditActionOf<'accounts'>, StaffOnly>> = {
  'account.signed_up': 'The account was created',
  'account.sign_up_repeated': 'Someone signed up with your address again; nothing changed',
  'account.staff_granted': 'Staff access was granted',
  'account.roles_changed': (data) => `The roles were changed to ${listText(data, 'after')}`,
  'account.staff_revoked': 'Staff access was removed',
  'impersonation.started': (data) => `Support (${text(data, 'staff')}) viewed your account${because(data)}`,
  'impersonation.elevated': (data) =>
    `Support (${text(data, 'staff')}) enabled changes to your account${because(data)}`,
  'impersonation.action_taken': (data) => `Support ${text(data, 'auditMessage') || 'made a change for you'}`,
  'impersonation.ended': (data) => `Support (${text(data, 'staff')}) stopped viewing your account`,
  'account.changed': 'The name was changed',
  'account.billing_status_changed': (data) => billingStatus(inner(data, 'before'), inner(data, 'after')),
  'account.closed': 'The account was closed',
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
  'passkey.added': (data) => `Passkey ${quotedName(data)} was added`,
  'passkey.renamed': (data) => `A passkey was renamed to ${quotedName(data)}`,
  'passkey.removed': (data) => `Passkey ${quotedName(data)} was removed`,
  'mail_preferences.changed': 'The email notifications were changed',
  'api_token.created': (data) => `API token ${quotedName(data)} was created`,
  'api_token.revoked': (data) => `API token ${quotedName(data)} was revoked`,
  'ssh_key.added': (data) => `SSH key ${quotedName(data)} was added`,
  'ssh_key.removed': (data) => `SSH key ${quotedName(data)} was removed`,
  'asn.claimed': (data) => `${asnText(inner(data, 'after'))} was registered`,
  'asn.proof_begun': (data) => `Verification of ${asnText(data)} by a registry remark was started`,
  'asn.verification_sent': (data) => `A link to verify ${asnText(data)} was sent to ${text(data, 'to')}`,
  'asn.verified': (data) => {
    const by = text(data, 'by')
    const session = text(data, 'followedBy') === 'customer' ? ', from your own session' : ''
    return `${asnText(data)} was verified${by ? `, ${PROOFS[by] ?? `by ${by}`}` : ''}${session}`
  },
  'asn.at_risk': (data) =>
    `${asnText(data)} must be verified again by ${text(data, 'lapsesAt').slice(0, 10)}: ${risk(data)}`,
  'asn.confirmed': (data) => `The issue with ${asnText(data)} was resolved`,
  'asn.lapsed': (data) => `${asnText(data)} is no longer verified: ${risk(data)}`,
}

const MESSAGES: Readonly<Record<string, ActivityMessage>> = {
  ...ACCOUNT_ACTIVITY,
  ...ROUTER_ACTIVITY,
  ...TRANSIT_ACTIVITY,
  ...BILLING_ACTIVITY,
  ...WEBHOOK_ACTIVITY,
}

/** An entry of a release with other actions is described by its action's name. */
export function describeEvent({ action, data }: Pick<AuditEvent, 'action' | 'data'>): string {
  const words = Object.hasOwn(MESSAGES, action) ? MESSAGES[action] : undefined
  if (typeof words === 'function') return words(data)
  if (words) return words
  const [noun = '', auditMessage = ''] = action.replaceAll('_', ' ').split('.')
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${auditMessage}${because(data)}`
}
