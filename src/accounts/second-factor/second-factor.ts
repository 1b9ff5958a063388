/**
 * The second factor beside a password: a code of an authenticator app, or a recovery code. A passkey is both factors
 * in one.
 */
import type { UserId } from '../../kernel/ids.ts'
import { unauthorized, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { AccountsDeps } from '../deps.ts'
import { sendWrongCodes } from '../emails/security-emails.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import { withKeyedMutex } from '../keyed-mutex.ts'
import { logDenial } from '../log-denial.ts'
import { decrypt } from '../../platform/encryption.ts'
import { endLockedByUse, lockOpenReset } from '../second-factor-reset/end-reset.ts'
import { count, empty, networkOf, requireHashCapacity, take, type Limit } from '../throttle.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { isAppCode, matchingStep, TOTP_PURPOSE } from './totp.ts'

/**
 * At one guess a minute, hitting one of a million codes, three of them valid at a time, takes over seven months on
 * average.
 */
const APP_GUESSES: Limit = { name: 'second factor', burst: 5, refillMs: 60_000 }
/**
 * Nobody can guess 80 bits: this limit only bounds the work. It counts by network, so that a guesser who knows the
 * password cannot keep the owner from using the recovery codes.
 */
const RECOVERY_GUESSES: Limit = { name: 'recovery code', burst: 10, refillMs: 60_000 }
/** The fifth wrong code within about an hour sends the owner an email, at most once a day. */
const WRONG_CODES: Limit = { name: 'wrong codes', burst: 4, refillMs: 15 * 60_000 }
const WRONG_CODES_EMAILS: Limit = { name: 'wrong codes email', burst: 1, refillMs: 86_400_000 }

/** The second factors that a sign-in must present beside the password. */
export interface SecondFactors {
  readonly app: boolean
  readonly passkeys: number
}

export async function readSecondFactors(db: Db, userId: UserId): Promise<SecondFactors> {
  const { app, passkeys } = await db
    .selectFrom('users')
    .select((eb) => [
      eb.exists(confirmedApp(db, userId)).as('app'),
      eb
        .selectFrom('passkeys')
        .select((of) => of.fn.countAll<number>().as('passkeys'))
        .where('user_id', '=', userId)
        .as('passkeys'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { app: Boolean(app), passkeys: passkeys ?? 0 }
}

/**
 * Throws 401 unless the account has no second factor, or the code is a fresh app code or a recovery code. Each code
 * works once. Returns true if the account has a second factor.
 */
export async function checkSecondFactor(
  deps: AccountsDeps,
  actor: Actor,
  userId: UserId,
  code: string | undefined,
): Promise<boolean> {
  const factors = await readSecondFactors(deps.db, userId)
  if (!factors.app && factors.passkeys === 0) return false
  if (code === undefined) throw codeRequired(factors)
  if (!(await isRightCode(deps, actor, userId, code))) {
    throw unauthorized('The code is wrong or was already used. Enter another one.', 'totp_required')
  }
  return true
}

/** Returns true for a valid app code or recovery code and uses it up. Wrong ones are counted: 429 after a few. */
export async function isRightCode(deps: AccountsDeps, actor: Actor, userId: UserId, code: string): Promise<boolean> {
  const right = isAppCode(code)
    ? await guardGuesses(deps, APP_GUESSES, String(userId), () => takeAppCode(deps, actor, userId, code))
    : await guardGuesses(deps, RECOVERY_GUESSES, `${userId} ${networkOf(actor.ip ?? '')}`, () =>
        takeRecoveryCode(deps, actor, userId, code),
      )
  if (!right) {
    logDenial(deps, actor, userId, 'code')
    await warnOfWrongCodes(deps, actor, userId)
  }
  return right
}

/** A valid code also ends a second factor reset: the factor is not lost. */
function takeAppCode(deps: AccountsDeps, actor: Actor, userId: UserId, code: string): Promise<boolean> {
  return inTransaction(deps.db, async (db) => {
    const reset = await lockOpenReset(db, userId)
    const factor = await readFactor({ ...deps, db }, userId)
    if (!factor?.confirmed || !(await takeCode({ ...deps, db }, userId, factor.secret, code))) return false
    if (reset) await endLockedByUse(deps, db, actor, reset)
    return true
  })
}

/** The first code of an app has the same limit as later ones. */
export const isFirstCode = (deps: AccountsDeps, userId: UserId, secret: Buffer, code: string): Promise<boolean> =>
  guardGuesses(deps, APP_GUESSES, String(userId), () => takeCode(deps, userId, secret, code))

/** A person who enters wrong codes already knows the password: the owner should change it. */
async function warnOfWrongCodes(deps: AccountsDeps, actor: Actor, userId: UserId): Promise<void> {
  const { db, clock } = deps
  if (await take(db, WRONG_CODES, String(userId), clock.now())) return
  if (!(await take(db, WRONG_CODES_EMAILS, String(userId), clock.now()))) return
  await inTransaction(db, async (transaction) => {
    const { email } = await transaction
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    await recordUserEvent(transaction, impersonating(actor, userId), userId, 'second_factor.codes_refused')
    await sendWrongCodes(transaction, deps, { email, userId })
  })
}

/**
 * For a sign-in without a code, which has locked the account: a second factor added in the meantime is still
 * required.
 */
export async function requireNoSecondFactor(db: Db, userId: UserId): Promise<void> {
  const factors = await readSecondFactors(db, userId)
  if (factors.app || factors.passkeys > 0) throw codeRequired(factors)
}

function codeRequired({ app, passkeys }: SecondFactors): Problem {
  const codes = app ? 'the code of your authenticator app or a recovery code' : 'a recovery code'
  return unauthorized(passkeys > 0 ? `Use your passkey, or enter ${codes}.` : `Enter ${codes}.`, 'totp_required')
}

const confirmedApp = (db: Db, userId: UserId) =>
  db
    .selectFrom('totp_factors')
    .select('totp_factors.user_id')
    .where('totp_factors.user_id', '=', userId)
    .where('totp_factors.confirmed_at', 'is not', null)

/** Counts wrong attempts and throws 429 after a few. Returns true if the attempt was right. */
function guardGuesses(
  { db, clock }: AccountsDeps,
  limit: Limit,
  subject: string,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  return withKeyedMutex(`${limit.name} ${subject}`, async () => {
    await requireHashCapacity(db, limit, subject, clock.now())
    const right = await attempt()
    await (right ? empty(db, limit, subject) : count(db, limit, subject, clock.now()))
    return right
  })
}

export async function readFactor(
  { db, secretKey }: AccountsDeps,
  userId: UserId,
): Promise<{ secret: Buffer; confirmed: boolean } | null> {
  const row = await db.selectFrom('totp_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!row) return null
  return { secret: decrypt(secretKey, TOTP_PURPOSE, row.encrypted_secret), confirmed: row.confirmed_at !== null }
}

/** One statement checks the step and moves it forward, so no code can be used twice, even concurrently. */
async function takeCode({ db, clock }: AccountsDeps, userId: UserId, secret: Buffer, code: string): Promise<boolean> {
  const step = matchingStep(secret, code, clock.now())
  if (step === null) return false
  const taken = await db
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
