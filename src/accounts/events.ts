/** Events of an account: each is written to its audit log and published as a change event. */
import type { AccountId, UserId } from '../kernel/ids.ts'
import type { AuditActionOf } from '../kernel/audit-actions.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { accountOf, userOf } from './owner.ts'

/** Records what a user did, or what was done to them. */
export async function recordUserEvent(
  db: Db,
  actor: Actor,
  userId: UserId,
  action: AuditActionOf<'accounts'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await record(db, actor, { userId, accountId: await accountOf(db, userId) }, action, data)
}

/** Records a change of something that the account owns, such as its ASN. */
export async function recordAccountEvent(
  db: Db,
  actor: Actor,
  accountId: AccountId,
  action: AuditActionOf<'accounts'>,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await record(db, actor, { userId: await userOf(db, accountId), accountId }, action, data)
}

async function record(
  db: Db,
  actor: Actor,
  { userId, accountId }: { readonly userId: UserId; readonly accountId: AccountId },
  action: AuditActionOf<'accounts'>,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await audit(db, actor, { action, subject: { type: 'user', id: userId }, accountId, data })
  await publish(db, { type: 'user', id: userId, accountId })
}

/** Returns the actor when the caller proves their identity by a password or a link instead of a session. */
export const impersonating = (actor: Actor, userId: UserId): Actor => ({ ...actor, kind: 'user', userId })
