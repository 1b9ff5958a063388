/** Events of an account: each is written to its audit log and published as a change event. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { accountOf, userOf } from './owner.ts'

export type AccountAction =
  | 'account.signed_up'
  | 'account.sign_up_repeated'
  | 'account.changed'
  | 'account.closed'
  | 'account.staff_granted'
  | 'account.roles_changed'
  | 'account.staff_revoked'
  | 'account.suspended'
  | 'account.suspension_lifted'
  | 'impersonation.started'
  | 'impersonation.elevated'
  | 'impersonation.ended'
  | 'email.verified'
  | 'email.change_requested'
  | 'email.changed'
  | 'email.resent'
  | 'session.started'
  | 'session.ended'
  | 'session.others_ended'
  | 'session.ended_by_staff'
  | 'password.reset_requested'
  | 'password.changed'
  | 'totp.switched_on'
  | 'totp.switched_off'
  | 'second_factor.codes_refused'
  | 'second_factor_reset.requested'
  | 'second_factor_reset.approved'
  | 'second_factor_reset.cancelled'
  | 'second_factor_reset.stopped'
  | 'second_factor_reset.expired'
  | 'second_factor_reset.factor_used'
  | 'second_factor_reset.completed'
  | 'recovery_code.used'
  | 'recovery_codes.renewed'
  | 'passkey.added'
  | 'passkey.renamed'
  | 'passkey.removed'
  | 'mail_preferences.changed'
  | 'api_token.created'
  | 'api_token.revoked'
  | 'ssh_key.added'
  | 'ssh_key.removed'
  | 'asn.claimed'
  | 'asn.proof_begun'
  | 'asn.verification_sent'
  | 'asn.verified'
  | 'asn.at_risk'
  | 'asn.confirmed'
  | 'asn.lapsed'

/** Records what a user did, or what was done to them. */
export async function recordUserEvent(
  db: Db,
  actor: Actor,
  userId: UserId,
  action: AccountAction,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await record(db, actor, { userId, accountId: await accountOf(db, userId) }, action, data)
}

/** Records a change of something that the account owns, such as its ASN. */
export async function recordAccountEvent(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  action: AccountAction,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await record(db, actor, { userId: await userOf(db, accountId), accountId }, action, data)
}

async function record(
  db: Db,
  actor: Actor,
  { userId, accountId }: { readonly userId: UserId; readonly accountId: AccountId },
  action: AccountAction,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(db, actor, { action, subject: { type: 'user', id: userId }, accountId, data })
  await publish(db, { type: 'user', id: userId, accountId })
}

/** Returns the actor when the caller proves their identity by a password or a link instead of a session. */
export const impersonating = (actor: Actor, userId: UserId): Actor => ({ ...actor, kind: 'user', userId })
