/**
 * Signing in takes the same time and gives the same error whether the address or the password is wrong. Failed
 * guesses are counted by account and by network. Attempts on one account run one after another, so a hundred
 * concurrent guesses count like a hundred in a row.
 *
 * An attacker who keeps an account's bucket full must not lock its owner out. So an address that signed in before has
 * its own bucket, and a password reset empties the other.
 */
import { forbidden, unauthorized } from '../../kernel/problem.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { CurrentUser } from '../contract.ts'
import type { AccountsDeps } from '../deps.ts'
import { withKeyedMutex } from '../keyed-mutex.ts'
import { isPassword } from '../passwords.ts'
import { checkSecondFactor, requireNoSecondFactor } from '../second-factor/second-factor.ts'
import { logDenial } from '../log-denial.ts'
import { startSession, type SessionOrigin } from '../sessions.ts'
import { recordDevice } from './known-devices.ts'
import { resendVerification } from './sign-up.ts'
import { count, empty, networkOf, requireHashCapacity, type Limit } from '../throttle.ts'
import { findCandidate, foldEmail, readCurrentUser, type Candidate } from '../users.ts'

const MINUTE = 60_000
/** Ten at once, for users who try all their old passwords, and five an hour after that. */
export const GUESSES_AT_ACCOUNT: Limit = { name: 'sign-in account', burst: 10, refillMs: 12 * MINUTE }
/** Many people may share an address, and each may mistype. This limit stops lists of leaked passwords, not people. */
export const GUESSES_FROM_NETWORK: Limit = { name: 'sign-in network', burst: 100, refillMs: MINUTE / 2 }

export interface SignIn {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
  readonly redirect?: string | undefined
}

export async function signIn(
  deps: AccountsDeps,
  request: SignIn,
  origin: SessionOrigin,
): Promise<{ user: CurrentUser; token: string }> {
  const { db, clock } = deps
  const email = foldEmail(request.email)
  await requireHashCapacity(db, GUESSES_FROM_NETWORK, networkOf(origin.ip), clock.now())
  const candidate = await findCandidate(db, email, origin.ip)
  const account = candidate?.familiar ? `${email} ${networkOf(origin.ip)}` : email

  return withKeyedMutex(account, async () => {
    await requireHashCapacity(db, GUESSES_AT_ACCOUNT, account, clock.now())
    if (!(await isPassword(candidate?.passwordHash ?? null, request.password))) {
      await count(db, GUESSES_AT_ACCOUNT, account, clock.now())
      await count(db, GUESSES_FROM_NETWORK, networkOf(origin.ip), clock.now())
      logDenial(deps, origin.actor, candidate?.id ?? null, 'password')
      throw wrongCredentials()
    }
    return admit(deps, candidate!, account, request, origin)
  })
}

/** Completes the sign-in after the password was right. */
async function admit(
  deps: AccountsDeps,
  candidate: Candidate,
  account: string,
  { code, redirect }: SignIn,
  origin: SessionOrigin,
): Promise<{ user: CurrentUser; token: string }> {
  const { db, clock } = deps
  if (!candidate.emailVerified) {
    await inTransaction(db, (transaction) => resendVerification(deps, transaction, candidate.id, redirect))
    throw forbidden('Confirm your address first: the mail with the link is on its way.', 'email_unverified')
  }
  const shown = await checkSecondFactor(deps, origin.actor, candidate.id, code)
  return inTransaction(db, async (transaction) => {
    await requireUnchanged(transaction, candidate)
    if (!shown) await requireNoSecondFactor(transaction, candidate.id)
    await empty(transaction, GUESSES_AT_ACCOUNT, account)
    await recordDevice(transaction, deps, candidate.id, origin, clock.now())
    const token = await startSession(deps, transaction, candidate.id, { ...origin, confirmed: true }, clock.now())
    return { token, user: await readCurrentUser(transaction, candidate.id, deps) }
  })
}

/**
 * Throws 401 if the password changed while it was being checked: a new password ends all sessions and must not miss
 * this one. The row stays locked until the commit, so that a later password change finds the session.
 */
async function requireUnchanged(db: Db, { id, passwordHash }: Candidate): Promise<void> {
  const account = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (account?.password_hash !== passwordHash) throw wrongCredentials()
}

const wrongCredentials = () => unauthorized('The email address or password is wrong.', 'wrong_credentials')
