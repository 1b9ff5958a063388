/**
 * Signing up tells nobody whether an address is known: the same answer after the same work, and the rest by mail.
 * Following a link alone confirms the one sign-up there is. Where a stranger signed up with the same address and another
 * password, nobody can tell from the letters which link is whose: the mailbox's reader chooses the password then.
 */
import { sql } from 'kysely'
import { z } from 'zod'
import { invalid, Problem, tooMany, type FieldProblem } from '../../kernel/problem.ts'
import { safeReturnPath } from '../../kernel/return-path.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { AccountsDeps } from '../deps.ts'
import { impersonating, recordAccountEvent } from '../events.ts'
import { sendAccountExists, sendVerification } from '../emails/emails.ts'
import { issueMailToken, redeemMailToken, spentLink } from '../emails/mail-tokens.ts'
import { repeatsAddress } from './password-policy.ts'
import { hashForSignUp, hashPassword } from '../passwords.ts'
import { networkOf, take, type Limit } from '../throttle.ts'
import { foldEmail } from '../users.ts'

const MINUTE = 60_000
const SIGN_UPS: Limit = { name: 'sign-up', burst: 100, refillMs: MINUTE / 2 }
/** Letters to one address that whoever knows it can cause. */
const EMAILS: Limit = { name: 'account-email', burst: 5, refillMs: 10 * MINUTE }

export interface SignUp {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly password: string
  readonly redirect?: string | undefined
}

const proposalShape = z.object({
  firstName: z.string(),
  lastName: z.string(),
  passwordHash: z.string(),
  /** Kept here and not in the link: letters to an address that is not proved carry no word of a stranger's. */
  redirect: z
    .string()
    .transform((path) => safeReturnPath(path))
    .optional(),
})
type Proposal = z.output<typeof proposalShape>

/** In the caller's transaction. */
export async function signUp(
  deps: AccountsDeps,
  db: Db,
  { actor, ip }: { actor: Actor; ip: string },
  request: SignUp,
): Promise<void> {
  const email = foldEmail(request.email)
  if (repeatsAddress(request.password, email)) throw repeatedAddress()
  const now = deps.clock.now()
  if (!(await take(db, SIGN_UPS, networkOf(ip), now)))
    throw tooMany('Too many sign-ups. Wait a moment and try again.', 60)

  const proposal = {
    firstName: request.firstName,
    lastName: request.lastName,
    passwordHash: await hashForSignUp(deps.secretKey, email, request.password),
    redirect: request.redirect,
  }
  const columns = {
    first_name: proposal.firstName,
    last_name: proposal.lastName,
    password_hash: proposal.passwordHash,
  }
  const added = await db
    .insertInto('users')
    .values({
      email,
      ...columns,
      email_verified_at: null,
      last_sign_in_at: null,
      last_sign_in_ip: null,
      closed_at: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) {
    // Nobody has proved this address so far: the latest word counts, until a link is followed.
    await db
      .updateTable('users')
      .set({ ...columns, sign_ups_differ: sql`sign_ups_differ or password_hash <> ${proposal.passwordHash}` })
      .where('email', '=', email)
      .where('email_verified_at', 'is', null)
      .execute()
  }
  const user = await db
    .selectFrom('users')
    .select(['id', 'email_verified_at', 'sign_ups_differ'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await recordAccountEvent(db, actor, user.id, added ? 'account.signed_up' : 'account.sign_up_repeated')
  if (user.email_verified_at === null) await mailVerification(deps, db, { ...user, email }, proposal)
  else if (await take(db, EMAILS, email, now)) {
    const token = await issueMailToken(db, 'reset_password', user.id, now)
    await sendAccountExists(db, deps, { email, userId: user.id }, token)
  }
}

/** Sends the link again, to somebody who knows the password of an account whose address is not proved yet. */
export async function resendVerification(
  deps: AccountsDeps,
  db: Db,
  userId: number,
  redirect: string | undefined,
): Promise<void> {
  const { user, proposal } = await latestSignUp(db, userId, redirect)
  await mailVerification(deps, db, user, proposal)
}

/** The same for staff, who have a limit of their own. */
export async function mailVerificationAgain(deps: AccountsDeps, db: Db, userId: number): Promise<void> {
  const { user, proposal } = await latestSignUp(db, userId, undefined)
  await issueVerification(deps, db, user, proposal)
}

async function latestSignUp(db: Db, userId: number, redirect: string | undefined) {
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const proposal: Proposal = {
    firstName: user.first_name,
    lastName: user.last_name,
    passwordHash: user.password_hash,
    redirect: redirect ?? (await returnLinkOf(db, user)),
  }
  return { user, proposal }
}

/** Where the sign-up that set this password wanted to go: its link may have run out, and so may the screen that knew. */
async function returnLinkOf(db: Db, user: { id: number; password_hash: string }): Promise<string | undefined> {
  const links = await db
    .selectFrom('mail_tokens')
    .select('payload')
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'verify_email')
    .orderBy('expires_at', 'desc')
    .execute()
  return links
    .map(({ payload }) => proposalShape.parse(payload))
    .find(({ passwordHash, redirect }) => passwordHash === user.password_hash && redirect !== undefined)?.redirect
}

interface Unverified {
  readonly id: number
  readonly email: string
  readonly sign_ups_differ: boolean
}

async function mailVerification(deps: AccountsDeps, db: Db, user: Unverified, proposal: Proposal): Promise<void> {
  if (await take(db, EMAILS, user.email, deps.clock.now())) await issueVerification(deps, db, user, proposal)
}

async function issueVerification(
  deps: AccountsDeps,
  db: Db,
  { id: userId, email, sign_ups_differ: signUpsDiffer }: Unverified,
  proposal: Proposal,
): Promise<void> {
  const token = await issueMailToken(db, 'verify_email', userId, deps.clock.now(), proposal)
  await sendVerification(db, deps, { email, userId }, { token, signUpsDiffer })
}

/**
 * Proves an address; answers whose it is and where they wanted to go. A password that is presented becomes that of the
 * account. Throws 422 for a link that was used, is stale or never was, and where a password has to be chosen.
 */
export async function verifyEmail(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  { token, password }: { readonly token: string; readonly password?: string | undefined },
): Promise<{ userId: number; redirect: string | null }> {
  const now = deps.clock.now()
  const { userId, payload } = await redeemMailToken(db, ['verify_email'], token, now)
  const proposal = proposalShape.parse(payload)
  // Held: a sign-up at this moment is counted before, or finds the address proved.
  const user = await db
    .selectFrom('users')
    .select(['email', 'sign_ups_differ'])
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw spentLink()
  if (password === undefined && user.sign_ups_differ) throw passwordRequired()
  if (password !== undefined && repeatsAddress(password, user.email)) throw repeatedAddress()
  await db
    .updateTable('users')
    .set({
      email_verified_at: now,
      first_name: proposal.firstName,
      last_name: proposal.lastName,
      password_hash: password === undefined ? proposal.passwordHash : await hashPassword(password),
      sign_ups_differ: false,
    })
    .where('id', '=', userId)
    .execute()
  await recordAccountEvent(db, impersonating(actor, userId), userId, 'email.verified')
  return { userId, redirect: proposal.redirect ?? null }
}

const passwordRequired = (): Problem => {
  const message =
    'is required: more than one sign-up was made with this address, so choose the password of your account'
  return new Problem(422, `password: ${message}`, {
    code: 'password_required',
    errors: [{ field: 'password', message }],
  })
}

const REPEATED_ADDRESS: FieldProblem = {
  field: 'password',
  message: 'can’t be your email address; choose another',
}
export const repeatedAddress = () => invalid([REPEATED_ADDRESS])

/** What is wrong with two fields that are sound by themselves. */
export const validateSignUp = ({ email, password }: Partial<SignUp>): readonly FieldProblem[] =>
  email !== undefined && password !== undefined && repeatsAddress(password, foldEmail(email)) ? [REPEATED_ADDRESS] : []
