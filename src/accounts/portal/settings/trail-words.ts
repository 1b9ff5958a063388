/** The trail in sentences. What is not known here is still said, from its own name. */
import { formatAsn } from '../../../kernel/asn.ts'
import type { AuditEvent } from '../../contract.ts'
import { describeBrowser } from '../../../kernel/user-agent.ts'
import { MONEY } from './money-trail-words.ts'
import { because, text, type Data, type Words } from './trail-data.ts'

const named = (data: Data): string => (text(data, 'name') ? `“${text(data, 'name')}”` : 'one without a name')
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
  staff: 'staff vouched for it',
  autnum_token: 'by a remark in the registry',
  peeringdb: 'by PeeringDB',
}

const DOUBTS: Readonly<Record<string, string>> = {
  expired: 'its proof ran past its day',
  holder_changed: 'the registry names another holder',
  unallocated: 'the registry knows no holder',
}
const doubt = (data: Data): string => DOUBTS[text(data, 'cause')] ?? 'its proof holds no more'

function standing(before: Data, after: Data): string {
  if (after['suspended'] === true) return `The account was suspended${because(after)}`
  if (before['suspended'] === true) return 'The account is no longer suspended'
  if (before['mayBeBilled'] !== after['mayBeBilled'])
    return after['mayBeBilled'] === true
      ? 'Routers can be ordered: there is a way to pay'
      : 'Routers cannot be ordered any more: there is no way to pay'
  return 'The standing of the account changed'
}

const ACCOUNT: Readonly<Record<string, Words>> = {
  'account.signed_up': 'The account was created',
  'account.sign_up_repeated': 'Somebody signed up with your address again; nothing changed',
  'account.made_staff': 'The account was made staff',
  'account.roles_changed': (data) => `The roles were changed to ${list(data, 'after')}`,
  'account.dismissed': 'The account is not staff any more',
  'acting.started': (data) => `Support (${text(data, 'staff')}) looked at your account${because(data)}`,
  'acting.raised': (data) => `Support (${text(data, 'staff')}) allowed themselves changes${because(data)}`,
  'acting.used': (data) => `Support ${text(data, 'deed') || 'changed something for you'}`,
  'acting.ended': (data) => `Support (${text(data, 'staff')}) stopped looking at your account`,
  'account.changed': 'The name was changed',
  'account.standing_changed': (data) => standing(inner(data, 'before'), inner(data, 'after')),
  'email.verified': 'The address was confirmed',
  'email.change_requested': (data) => `A change of the address to ${text(data, 'email')} was asked for`,
  'email.changed': (data) => `The address was changed from ${text(data, 'from')} to ${text(data, 'to')}`,
  'session.started': (data) => `Signed in with ${describeBrowser(text(data, 'userAgent'))}`,
  'session.ended': 'A session ended',
  'session.others_ended': 'All other sessions were ended',
  'password.reset_requested': 'A mail to set a new password was asked for',
  'password.changed': 'The password was changed',
  'totp.switched_on': 'The authenticator app was switched on',
  'totp.switched_off': 'The authenticator app was switched off',
  'recovery_code.used': 'A recovery code was used to sign in',
  'recovery_codes.renewed': 'New recovery codes were made',
  'passkey.added': (data) => `Passkey ${named(data)} was added`,
  'passkey.renamed': (data) => `A passkey was renamed to ${named(data)}`,
  'passkey.removed': (data) => `Passkey ${named(data)} was removed`,
  'mail_preferences.changed': 'The email notifications were changed',
  'api_token.created': (data) => `API token ${named(data)} was created`,
  'api_token.revoked': (data) => `API token ${named(data)} was revoked`,
  'ssh_key.added': (data) => `SSH key ${named(data)} was added`,
  'ssh_key.removed': (data) => `SSH key ${named(data)} was removed`,
  'asn.claimed': (data) => `${asn(inner(data, 'after'))} was registered`,
  'asn.proof_begun': (data) => `A proof of ${asn(data)} by a remark in the registry was begun`,
  'asn.verification_sent': (data) => `A link to prove ${asn(data)} was sent to ${text(data, 'to')}`,
  'asn.verified': (data) => {
    const by = text(data, 'by')
    return `${asn(data)} was verified${by ? `, ${PROOFS[by] ?? `by ${by}`}` : ''}`
  },
  'asn.doubted': (data) =>
    `${asn(data)} must be proved again by ${text(data, 'lapsesAt').slice(0, 10)}: ${doubt(data)}`,
  'asn.settled': (data) => `The doubt about ${asn(data)} was settled`,
  'asn.lapsed': (data) => `${asn(data)} is not verified any more: ${doubt(data)}`,
}

const NETWORK: Readonly<Record<string, Words>> = {
  'router.created': (data) => `Router ${named(data)} was ordered`,
  'router.renamed': (data) => `A router was renamed from “${text(data, 'before')}” to “${text(data, 'after')}”`,
  'router.resized': (data) => `${router(data)} was moved from plan ${text(data, 'before')} to ${text(data, 'after')}`,
  'router.action_requested': (data) => `${router(data)} was told to ${text(data, 'action')}`,
  'router.delete_requested': (data) => {
    const until = text(data, 'until')
    return `Router ${named(data)} was deleted${until && `; it can be restored until ${until.slice(0, 16).replace('T', ' ')} UTC`}`
  },
  'router.restored': (data) => `Router ${named(data)} was restored`,
  'router.deleted': (data) => `Router ${named(data)} is gone`,
  'router.reachable': (data) => `${router(data)} became reachable`,
  'router.failed': (data) => `${router(data)} failed${because(data)}`,
  'router.recovered': (data) => `${router(data)} works again`,
  'router.retried': (data) => `${router(data)} was tried again at once`,
  'router.crashed': (data) => `${router(data)} crashed and was started again`,
  'router.shut_down_inside': (data) => `${router(data)} was shut down from inside`,
  'router.found_off': (data) => `${router(data)} was found switched off and is started again`,
  'router.configuration_refused': (data) => `${router(data)} did not take its configuration${because(data)}`,
  'router.suspended': (data) => `${router(data)} was suspended`,
  'router.resumed': (data) => `${router(data)} was resumed`,
  'router.console_opened': (data) =>
    `The ${text(data, 'kind')} console of ${text(data, 'name') ? named(data) : 'a router'} was opened`,
  'connection.changed': 'The transit connection was changed',
  'prefix.requested': (data) => `${prefix(data)} was requested`,
  'prefix.approved': (data) => `${prefix(data)} was approved`,
  'prefix.rejected': (data) => `${prefix(data)} was rejected${because(data)}`,
  'prefix.suspended': (data) => `${prefix(data)} was suspended${because(data)}`,
  'prefix.withdrawn': (data) => `${prefix(data)} was withdrawn`,
  'prefix.needs_action': (data) => `${prefix(data)} waits for you${because(data)}`,
  'prefix.mended': (data) => `${prefix(data)} was mended`,
  'prefix.displaced': (data) => `${prefix(data)} was suspended${because(data)}`,
  'prefix.resumed': (data) => `${prefix(data)} is a request again`,
  'prefix.flagged': (data) => `${prefix(data)} lost its proof${because(data)}`,
  'prefix.unflagged': (data) => `${prefix(data)} has its proof back`,
}

const WEBHOOKS: Readonly<Record<string, Words>> = {
  'webhook.added': (data) => `A webhook to ${text(data, 'url')} was added`,
  'webhook.changed': 'A webhook was changed',
  'webhook.removed': (data) => `The webhook to ${text(data, 'url')} was removed`,
  'webhook.secret_renewed': 'The secret of a webhook was made anew',
  'webhook.replayed': (data) => `${text(data, 'queued')} messages of a webhook were sent again`,
  'webhook.disabled': (data) => `The webhook to ${text(data, 'url')} was switched off${because(data)}`,
}

export function describeEvent({ action, data }: Pick<AuditEvent, 'action' | 'data'>): string {
  const words = ACCOUNT[action] ?? NETWORK[action] ?? MONEY[action] ?? WEBHOOKS[action]
  if (typeof words === 'function') return words(data)
  if (words) return words
  const [noun = '', deed = ''] = action.replaceAll('_', ' ').split('.')
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${deed}${because(data)}`
}
