/**
 * Resets a forgotten password. A request writes the same row for every address, and the worker looks the address up
 * later. So the response time reveals nothing. Setting a new password does not sign in: a second factor is still
 * required.
 */
import type { UserId } from '../../kernel/ids.ts'
import { tooMany } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { publish } from '../../platform/events.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { listApiTokens, revokeApiTokens } from '../api-tokens.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import { sendPasswordChanged, sendPasswordReset } from '../emails/emails.ts'
import { issueMailToken, redeemMailToken, voidMailTokens } from '../emails/mail-tokens.ts'
import { listPasskeys } from '../second-factor/passkeys.ts'
import { repeatsAddress } from './password-policy.ts'
import { hashPassword } from '../passwords.ts'
import { endOtherSessions } from '../sessions.ts'
import { GUESSES_AT_ACCOUNT } from './sign-in.ts'
import { repeatedAddress } from './sign-up.ts'
import { empty, networkOf, take, type Limit } from '../throttle.ts'
import { foldEmail } from '../users.ts'

const MINUTE = 60_000
const REQUESTS_FROM_NETWORK: Limit = { name: 'reset network', burst: 30, refillMs: MINUTE }
const EMAILS: Limit = { name: 'reset email', burst: 3, refillMs: 20 * MINUTE }
/** A later email would surprise its reader, and its link would be of no use. */
const DELETE_AFTER_MS = 60 * MINUTE

export async function requestPasswordReset(deps: AccountsDeps, db: Db, ip: string, email: string): Promise<void> {
  if (!(await take(db, REQUESTS_FROM_NETWORK, networkOf(ip), deps.clock.now()))) {
    throw tooMany('Too many requests. Wait a moment and try again.', 60)
  }
  const { id } = await db
    .insertInto('password_reset_requests')
    .values({ email: foldEmail(email), ip, created_at: deps.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publish(db, { type: 'password_reset', id, accountId: null })
}

/** Handles the requests: sends an email if the address is known, and nothing otherwise. */
export function passwordResetReconciler(deps: Sender & Pick<AccountsDeps, 'db' | 'clock'>): Reconciler {
  return {
    name: 'password-resets',
    everyMs: 10_000,
    concurrency: 2,
    wakes: (changeEvent) => (changeEvent.type === 'password_reset' ? changeEvent.id : null),
    async due() {
      const rows = await deps.db.selectFrom('password_reset_requests').select('id').orderBy('id').limit(200).execute()
      return rows.map((row) => row.id)
    },
    reconcile: (id) => inTransaction(deps.db, (transaction) => answer(deps, transaction, id)),
  }
}

async function answer(deps: Sender & Pick<AccountsDeps, 'clock'>, db: Db, id: number): Promise<void> {
  const now = deps.clock.now()
  const request = await db.deleteFrom('password_reset_requests').where('id', '=', id).returningAll().executeTakeFirst()
  if (!request || now.getTime() - request.created_at.getTime() > DELETE_AFTER_MS) return
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', request.email)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!user || !(await take(db, EMAILS, request.email, now))) return
  const token = await issueMailToken(db, 'reset_password', user.id, now)
  await sendPasswordReset(db, deps, { email: request.email, userId: user.id }, token)
  const otherUser: Actor = { kind: 'system', userId: null, ip: request.ip, requestId: null }
  await recordUserEvent(db, otherUser, user.id, 'password.reset_requested')
}

/**
 * Sets the password that a reset link allows, and ends every session and API token. Throws 422 for a used or expired
 * link.
 */
export async function resetPassword(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  request: { token: string; password: string },
): Promise<void> {
  const now = deps.clock.now()
  const { userId } = await redeemMailToken(db, ['reset_password'], request.token, now)
  await writePassword(deps, db, impersonating(actor, userId), userId, request.password, {
    session: null,
    apiTokens: false,
  })
  await voidMailTokens(db, userId, ['change_email_old', 'change_email_new'])
  // The reader of that email has access to the mailbox, so the address is confirmed as well.
  await db
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/** What keeps working after the password changed. */
export interface CachedResetRequest {
  readonly session: number | null
  readonly apiTokens: boolean
}

/** Ends all sessions and API tokens except those in `keep`, emails the owner, and lifts a sign-in lockout at once. */
export async function writePassword(
  deps: Sender,
  db: Db,
  actor: Actor,
  userId: UserId,
  password: string,
  keep: CachedResetRequest,
): Promise<void> {
  const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  if (repeatsAddress(password, email)) throw repeatedAddress()
  await db
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .execute()
  await voidMailTokens(db, userId, ['reset_password'])
  await endOtherSessions(db, actor, userId, keep.session)
  const revoked = keep.apiTokens ? [] : await revokeApiTokens(db, actor, userId, 'all')
  await empty(db, GUESSES_AT_ACCOUNT, email)
  await recordUserEvent(db, actor, userId, 'password.changed')
  const kept = (await listApiTokens(db, userId)).map(({ name }) => name)
  const passkeys = (await listPasskeys(db, userId)).map(({ name }) => name)
  await sendPasswordChanged(db, deps, { email, userId }, { revoked, kept, passkeys })
}
