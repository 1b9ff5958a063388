/** Links in emails: random, stored as digests, single-use. */
import type { UserId } from '../../kernel/ids.ts'
import { invalid, type FieldProblem, type Problem } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import { ADDRESS_LINK_HOURS, PASSWORD_LINK_HOURS } from '../policy.ts'
import { APPROVAL_HOURS, RESET_WAIT_MAX_DAYS } from '../second-factor-reset/limits.ts'
import type { MailTokenPurpose } from '../tables.ts'
import { createToken, digestOf } from '../tokens.ts'

const HOUR = 3_600_000
const LIFETIME_MS: Readonly<Record<MailTokenPurpose, number>> = {
  verify_email: ADDRESS_LINK_HOURS * HOUR,
  reset_password: PASSWORD_LINK_HOURS * HOUR,
  change_email_old: ADDRESS_LINK_HOURS * HOUR,
  change_email_new: ADDRESS_LINK_HOURS * HOUR,
  // Covers the longest possible reset. The end of the reset voids the link.
  stop_second_factor_reset: (APPROVAL_HOURS + RESET_WAIT_MAX_DAYS * 24) * HOUR,
}

export async function issueMailToken(
  db: Db,
  purpose: MailTokenPurpose,
  userId: UserId,
  now: Date,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const token = createToken()
  await db
    .insertInto('mail_tokens')
    .values({
      digest: digestOf(token),
      purpose,
      user_id: userId,
      payload: JSON.stringify(payload),
      expires_at: new Date(now.getTime() + LIFETIME_MS[purpose]),
    })
    .execute()
  return token
}

/**
 * Redeems a token of one of these kinds and voids all other tokens of the same kind for the user. Of two concurrent
 * uses, the second waits for the first and then finds nothing. Used, expired and unknown tokens get the same 422.
 */
export async function redeemMailToken<P extends MailTokenPurpose>(
  db: Db,
  purposes: readonly P[],
  token: string,
  now: Date,
): Promise<{ userId: UserId; purpose: P; payload: unknown }> {
  const row = await db
    .deleteFrom('mail_tokens')
    .where('digest', '=', digestOf(token))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .returning(['user_id', 'purpose', 'payload'])
    .executeTakeFirst()
  if (!row) throw spentLink()
  await voidMailTokens(db, row.user_id, [row.purpose])
  return { userId: row.user_id, purpose: row.purpose as P, payload: row.payload }
}

/** Returns what is wrong with a link without using it, so that it is reported together with other errors. */
export async function validateLink(
  db: Db,
  purpose: MailTokenPurpose,
  token: string | undefined,
  now: Date,
): Promise<readonly FieldProblem[]> {
  if (token === undefined) return []
  const row = await db
    .selectFrom('mail_tokens')
    .select('user_id')
    .where('digest', '=', digestOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? [] : [SPENT_LINK]
}

/** Voids the links of these kinds in the user's mailboxes. */
export async function voidMailTokens(db: Db, userId: UserId, purposes: readonly MailTokenPurpose[]): Promise<void> {
  await db.deleteFrom('mail_tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()
}

const SPENT_LINK: FieldProblem = {
  field: 'token',
  message: 'this link was used before or is too old: ask for a new one',
}
export const spentLink = (): Problem => invalid([SPENT_LINK])
