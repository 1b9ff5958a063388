import type { AuditActionOf } from '../../../kernel/audit-actions.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'
import { formatUtc } from '../../../kernel/utc.ts'
import { asnText, listText, text, type AuditData } from '../../../ui/components/audit-data.ts'
import type { AuditSentences } from '../../../ui/staff/audit-sentences.ts'

const named = (kind: string, data: AuditData): string => `${kind} “${text(data, 'name')}”`

export const ACCOUNTS_SENTENCES: AuditSentences<AuditActionOf<'accounts'>> = {
  'account.signed_up': 'signed up',
  'account.sign_up_repeated': 'tried to sign up again with a known address',
  'account.changed': 'changed their name',
  'account.closed': 'closed {it}',
  'account.staff_granted': 'granted staff access to {it}',
  'account.roles_changed': (data) => `changed the roles of {it} to ${listText(data, 'after')}`,
  'account.staff_revoked': 'removed staff access from {it}',
  'account.billing_status_changed': 'changed the billing status of {it}',
  'account.suspended': 'suspended the account of {it}',
  'account.suspension_lifted': 'lifted the suspension of {it}',
  'impersonation.started': 'viewed the portal as {it}',
  'impersonation.elevated': 'enabled changes while viewing as {it}',
  'impersonation.action_taken': (data) => `acted for {it}: ${text(data, 'auditMessage') || text(data, 'call')}`,
  'impersonation.ended': 'stopped viewing as {it}',
  'email.verified': 'confirmed their email address',
  'email.change_requested': (data) => `asked to change their email address to ${text(data, 'email')}`,
  'email.changed': (data) => `changed their email address from ${text(data, 'from')} to ${text(data, 'to')}`,
  'session.started': (data) => `signed in with ${describeBrowser(text(data, 'userAgent'))}`,
  'session.ended': 'ended a session',
  'session.others_ended': 'ended all other sessions',
  'session.ended_by_staff': 'ended all sessions of {it}',
  'email.resent': (data) => `sent an email to {it} again (${text(data, 'email')})`,
  'user_note.added': 'added a note to {it}',
  'password.reset_requested': 'requested a password reset',
  'password.changed': 'changed their password',
  'totp.switched_on': 'switched on an authenticator app',
  'totp.switched_off': 'switched off the authenticator app',
  'second_factor.codes_refused': 'entered wrong codes after the right password',
  'second_factor_reset.requested': 'requested a reset of the second factor of {it}',
  'second_factor_reset.approved': (data) =>
    `approved the reset of the second factor of {it}, due on ${formatUtc(text(data, 'dueAt'))}`,
  'second_factor_reset.cancelled': 'canceled the reset of the second factor of {it}',
  'second_factor_reset.stopped': (data) =>
    `stopped the reset of their second factor${text(data, 'by') === 'link' ? ' with the link of an email' : ''}`,
  'second_factor_reset.expired': 'let the reset of the second factor of {it} expire without an approval',
  'second_factor_reset.factor_used': 'used a second factor, which ended its reset',
  'second_factor_reset.completed': 'reset the second factor of {it}',
  'recovery_code.used': 'used a recovery code to sign in',
  'recovery_codes.renewed': 'generated new recovery codes',
  'passkey.added': (data) => `added ${named('passkey', data)}`,
  'passkey.renamed': (data) => `renamed a passkey to “${text(data, 'name')}”`,
  'passkey.removed': (data) => `removed ${named('passkey', data)}`,
  'mail_preferences.changed': 'changed their email notifications',
  'api_token.created': (data) => `created ${named('API token', data)}`,
  'api_token.revoked': (data) => `revoked ${named('API token', data)}`,
  'ssh_key.added': (data) => `added ${named('SSH key', data)}`,
  'ssh_key.removed': (data) => `removed ${named('SSH key', data)}`,
  'asn.claimed': ({ after }) => `registered ${asnText((after ?? {}) as AuditData)}`,
  'asn.proof_begun': (data) => `started to verify ${asnText(data)} by a registry remark`,
  'asn.verification_sent': (data) => `sent a link to verify ${asnText(data)} to ${text(data, 'to')}`,
  'asn.verified': (data) => `verified ${asnText(data)}`,
  'asn.at_risk': (data) => `asked for a new proof of ${asnText(data)} by ${text(data, 'lapsesAt').slice(0, 10)}`,
  'asn.confirmed': (data) => `confirmed ${asnText(data)} again`,
  'asn.lapsed': (data) => `ended the verification of ${asnText(data)}`,
  'agent.token_created': (data) =>
    `created an enrolment token for the agent of ${text(data, 'kind')} ${text(data, 'slug')}`,
  'agent.enrolled': (data) => `enrolled the agent of ${text(data, 'kind')} ${text(data, 'slug')}`,
  'agent.revoked': (data) => `revoked the key of the agent of ${text(data, 'kind')} ${text(data, 'slug')}`,
}
