/**
 * Changes the email address of an account. Both mailboxes must agree: the new one to prove it, and the old one so
 * that a stolen session cannot take over the account. The request does not reveal whether the new address is
 * registered here.
 */
import { conflict, invalid, tooMany } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { AccountsDeps, Sender } from '../deps.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import { sendAddressTaken, sendChangeToNew, sendChangeToOld, sendEmailChanged } from './emails.ts'
import { issueMailToken, redeemMailToken, spentLink, voidMailTokens } from './mail-tokens.ts'
import { violates } from '../../platform/db/constraint.ts'
import { take, type Limit } from '../throttle.ts'
import { foldEmail } from '../users.ts'

type Clocked = Sender & Pick<AccountsDeps, 'clock'>

const REQUESTS: Limit = { name: 'email change', burst: 5, refillMs: 10 * 60_000 }

export async function requestEmailChange(
  deps: Clocked,
  db: Db,
  actor: Actor,
  principal: Principal,
  wanted: string,
): Promise<void> {
  const { userId, email: old } = principal
  const email = foldEmail(wanted)
  const now = deps.clock.now()
  if (email === old) throw invalid([{ field: 'email', message: 'is your address already' }])
  if (!(await take(db, REQUESTS, String(userId), now)))
    throw tooMany('Too many requests. Wait a moment and try again.', 600)

  const fresh = { new_email: email, old_confirmed_at: null, new_confirmed_at: null }
  await voidMailTokens(db, userId, ['change_email_old', 'change_email_new'])
  await db
    .insertInto('email_changes')
    .values({ user_id: userId, ...fresh })
    .onConflict((conflicting) => conflicting.column('user_id').doUpdateSet(fresh))
    .execute()
  const oldToken = await issueMailToken(db, 'change_email_old', userId, now)
  await sendChangeToOld(db, deps, { email: old, userId }, { email, token: oldToken })
  if (await isTaken(db, email)) await sendAddressTaken(db, deps, email)
  else await sendChangeToNew(db, deps, email, await issueMailToken(db, 'change_email_new', userId, now))
  await recordUserEvent(db, actor, userId, 'email.change_requested', { email })
}

/**
 * Records the agreement of one mailbox. Throws 422 for a used link, 409 if another account took the address in the
 * meantime.
 */
export async function confirmEmailChange(
  deps: Clocked,
  db: Db,
  actor: Actor,
  token: string,
): Promise<{ email: string; waitingFor: 'old' | 'new' | null }> {
  const now = deps.clock.now()
  const { userId, purpose } = await redeemMailToken(db, ['change_email_old', 'change_email_new'], token, now)
  const change = await db
    .updateTable('email_changes')
    .set(purpose === 'change_email_old' ? { old_confirmed_at: now } : { new_confirmed_at: now })
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (!change) throw spentLink()
  if (!change.old_confirmed_at) return { email: change.new_email, waitingFor: 'old' }
  if (!change.new_confirmed_at) return { email: change.new_email, waitingFor: 'new' }

  if (await isTaken(db, change.new_email)) throw takenMeanwhile()
  const { email: old } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db
    .updateTable('users')
    .set({ email: change.new_email, email_verified_at: now })
    .where('id', '=', userId)
    .execute()
    .catch((error: unknown) => {
      throw violates(error, 'users_email_key') ? takenMeanwhile() : error
    })
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute()
  // Otherwise a reset link in the old mailbox would survive the change.
  await voidMailTokens(db, userId, ['reset_password'])
  await recordUserEvent(db, impersonating(actor, userId), userId, 'email.changed', {
    from: old,
    to: change.new_email,
  })
  for (const email of [old, change.new_email]) await sendEmailChanged(db, deps, { email, userId }, change.new_email)
  return { email: change.new_email, waitingFor: null }
}

const takenMeanwhile = () => conflict('This address now has its own account.')

async function isTaken(db: Db, email: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
}
