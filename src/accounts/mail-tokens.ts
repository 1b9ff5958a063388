/** Links in mails: random, stored as digests, used once. */
import { invalid, type Problem } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import type { MailTokenPurpose } from './tables.ts'
import { createToken, digestOf } from './tokens.ts'

const HOUR = 3_600_000
/** A reset opens an existing account, so its link lives as short as mail allows; proving an address may wait for tomorrow. */
const LIFETIME_MS: Readonly<Record<MailTokenPurpose, number>> = { verify_email: 24 * HOUR, reset_password: HOUR }

export async function issueMailToken(
  db: Db,
  purpose: MailTokenPurpose,
  userId: number,
  now: Date,
  payload: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { token, digest } = createToken()
  await db
    .insertInto('mail_tokens')
    .values({
      digest,
      purpose,
      user_id: userId,
      payload: JSON.stringify(payload),
      expires_at: new Date(now.getTime() + LIFETIME_MS[purpose]),
    })
    .execute()
  return token
}

/**
 * Takes the token, and with it every other of its kind that the user has: one use settles the matter. Of two uses at
 * once the second waits for the first and then finds nothing. Used, stale and never issued are one answer.
 */
export async function redeemMailToken(
  db: Db,
  purpose: MailTokenPurpose,
  token: string,
  now: Date,
): Promise<{ userId: number; payload: unknown }> {
  const row = await db
    .deleteFrom('mail_tokens')
    .where('digest', '=', digestOf(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['user_id', 'payload'])
    .executeTakeFirst()
  if (!row) throw spentLink()
  await db.deleteFrom('mail_tokens').where('user_id', '=', row.user_id).where('purpose', '=', purpose).execute()
  return { userId: row.user_id, payload: row.payload }
}

export const spentLink = (): Problem =>
  invalid([{ field: 'token', message: 'this link was used before or is too old: ask for a new one' }])
