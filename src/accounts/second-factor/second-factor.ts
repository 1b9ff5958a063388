/** The second factor beside a password: a code of an authenticator app, or a recovery code. Passkeys are both factors in one. */
import { randomBytes } from 'node:crypto'
import { conflict, invalid, unauthorized, type Problem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { AccountsDeps } from '../deps.ts'
import { recordAccountEvent } from '../events.ts'
import { withKeyedMutex } from '../keyed-mutex.ts'
import { sendSecondFactorChanged } from '../emails/emails.ts'
import { encrypt, decrypt } from '../../platform/encryption.ts'
import { endOtherSessions } from '../sessions.ts'
import { count, empty, requireHashCapacity, type Limit } from '../throttle.ts'
import { dropUnusedRecoveryCodes, replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { base32, matchingStep, otpauthUri } from './totp.ts'
import { lockAccount } from '../users.ts'

/** RFC 4226 section 4 asks for 160 bits. */
const SECRET_BYTES = 20
const ALREADY_ON = 'The authenticator app is switched on already: switch it off first.'
const NOT_ON = 'No authenticator app is switched on.'
/** At a code a minute, one of a million with three of them valid at a time takes longer than a year to hit. */
const GUESSES: Limit = { name: 'second factor', burst: 5, refillMs: 60_000 }

/** What has to be shown beside the password. */
export interface SecondFactors {
  readonly app: boolean
  readonly passkeys: number
}

export async function readSecondFactors(db: Db, userId: number): Promise<SecondFactors> {
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
 * Throws 401 unless the account has no second factor or the code is a fresh one of its app or a recovery code. Each code is
 * taken once. Answers whether there was one to show.
 */
export async function checkSecondFactor(
  deps: AccountsDeps,
  actor: Actor,
  userId: number,
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

/** Whether it is a code of the app or a recovery code. It is used up, and wrong ones are counted: 429 after a few. */
export function isRightCode(deps: AccountsDeps, actor: Actor, userId: number, code: string): Promise<boolean> {
  return guardGuesses(deps, userId, async () => {
    const factor = await readFactor(deps, userId)
    return (
      (factor?.confirmed === true && (await takeCode(deps, userId, factor.secret, code))) ||
      takeRecoveryCode(deps, actor, userId, code)
    )
  })
}

/** For a sign-in without a code that holds the account: a factor that was added meanwhile is asked for all the same. */
export async function requireNoSecondFactor(db: Db, userId: number): Promise<void> {
  const factors = await readSecondFactors(db, userId)
  if (factors.app || factors.passkeys > 0) throw codeRequired(factors)
}

function codeRequired({ app, passkeys }: SecondFactors): Problem {
  const codes = app ? 'the code of your authenticator app or a recovery code' : 'a recovery code'
  return unauthorized(passkeys > 0 ? `Use your passkey, or enter ${codes}.` : `Enter ${codes}.`, 'totp_required')
}

const confirmedApp = (db: Db, userId: number) =>
  db
    .selectFrom('totp_factors')
    .select('totp_factors.user_id')
    .where('totp_factors.user_id', '=', userId)
    .where('totp_factors.confirmed_at', 'is not', null)

/** Makes a new secret, which counts for nothing until {@link confirmTotp} has seen a code of it. */
export async function beginTotp(deps: AccountsDeps, principal: Principal): Promise<{ secret: string; uri: string }> {
  const secret = randomBytes(SECRET_BYTES)
  const encrypted = encrypt(deps.secretKey, 'totp', secret)
  const written = await deps.db
    .insertInto('totp_factors')
    .values({ user_id: principal.userId, encrypted_secret: encrypted, confirmed_at: null })
    .onConflict((again) =>
      again
        .column('user_id')
        .doUpdateSet({ encrypted_secret: encrypted, last_step: 0 })
        .where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!written) throw conflict(ALREADY_ON)
  return { secret: base32(secret), uri: otpauthUri(deps.config.PRODUCT_NAME, principal.email, secret) }
}

/** Switches it on and answers the recovery codes, which are shown this once. Other sessions end. */
export async function confirmTotp(
  deps: AccountsDeps,
  actor: Actor,
  principal: Principal,
  code: string,
): Promise<string[]> {
  const { userId } = principal
  const factor = await readFactor(deps, userId)
  if (!factor) throw conflict('Begin with a new secret first.')
  if (factor.confirmed) throw conflict(ALREADY_ON)
  if (!(await guardGuesses(deps, userId, () => takeCode(deps, userId, factor.secret, code)))) {
    throw invalid([{ field: 'code', message: 'is not the current code of the app' }])
  }
  return inTransaction(deps.db, async (db) => {
    // A sign-in without a code is over before, or finds the app.
    await lockAccount(db, userId)
    const confirmed = await db
      .updateTable('totp_factors')
      .set({ confirmed_at: deps.clock.now() })
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is', null)
      .returning('user_id')
      .executeTakeFirst()
    if (!confirmed) throw conflict(ALREADY_ON)
    const codes = await replaceRecoveryCodes(db, userId)
    await endOtherSessions(db, actor, userId, principal.sessionId)
    await recordAccountEvent(db, actor, userId, 'totp.switched_on')
    await sendSecondFactorChanged(db, deps, principal, true)
    return codes
  })
}

export function switchTotpOff(deps: AccountsDeps, actor: Actor, principal: Principal): Promise<void> {
  const { userId } = principal
  return inTransaction(deps.db, async (db) => {
    await lockAccount(db, userId)
    const removed = await db
      .deleteFrom('totp_factors')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .returning('user_id')
      .executeTakeFirst()
    if (!removed) throw conflict(NOT_ON)
    await dropUnusedRecoveryCodes(db, userId)
    await recordAccountEvent(db, actor, userId, 'totp.switched_off')
    await sendSecondFactorChanged(db, deps, principal, false)
  })
}

/** Counts wrong attempts and refuses with 429 after a few; whether the attempt was right. */
async function guardGuesses(deps: AccountsDeps, userId: number, attempt: () => Promise<boolean>): Promise<boolean> {
  const { db, clock } = deps
  const subject = String(userId)
  return withKeyedMutex(`second factor ${subject}`, async () => {
    await requireHashCapacity(db, GUESSES, subject, clock.now())
    const right = await attempt()
    await (right ? empty(db, GUESSES, subject) : count(db, GUESSES, subject, clock.now()))
    return right
  })
}

async function readFactor(
  { db, secretKey }: AccountsDeps,
  userId: number,
): Promise<{ secret: Buffer; confirmed: boolean } | null> {
  const row = await db.selectFrom('totp_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!row) return null
  return { secret: decrypt(secretKey, 'totp', row.encrypted_secret), confirmed: row.confirmed_at !== null }
}

/** The step moves forward in the same statement that checks it, so one code cannot be taken twice, even at once. */
async function takeCode({ db, clock }: AccountsDeps, userId: number, secret: Buffer, code: string): Promise<boolean> {
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
