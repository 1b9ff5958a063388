/**
 * Sign-up does not reveal whether an address is known: it gives the same response after the same work, and the rest
 * happens by email. Following a link confirms the sign-up if there is only one. If a stranger signed up with the same
 * address and another password, nobody can tell which email is whose. Then the reader of the mailbox chooses the
 * password.
 */
import type { UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { invalid, Problem, tooMany, type FieldProblem } from '../../kernel/problem.ts'
import { safeReturnPath } from '../../kernel/return-path.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { AccountsDeps } from '../deps.ts'
import { impersonating, recordUserEvent } from '../events.ts'
import { sendAccountExists, sendVerification } from '../emails/emails.ts'
import { issueMailToken, redeemMailToken, spentLink } from '../emails/mail-tokens.ts'
import { repeatsAddress } from './password-policy.ts'
import { hashForSignUp, hashPassword } from '../passwords.ts'
import { networkOf, take, type Limit } from '../throttle.ts'
import { addUser, foldEmail } from '../users.ts'

const MINUTE = 60_000
const SIGN_UPS: Limit = { name: 'sign-up', burst: 100, refillMs: MINUTE / 2 }
/** Emails that a stranger can cause to one address. */
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
  /** Stored here and not in the link: emails to an unconfirmed address contain no text of a stranger. */
  redirect: z
    .string()
    .transform((path) => safeReturnPath(path))
    .optional(),
})
type Proposal = z.output<typeof proposalShape>

/** Runs in the caller's transaction. */
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
  const added = await addUser(db, { email, ...columns })
  if (added === null) {
    // Nobody has confirmed this address yet, so the latest sign-up counts until a link is followed.
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
  // A repeated sign-up may come from someone else.
  await (added === null
    ? recordUserEvent(db, actor, user.id, 'account.sign_up_repeated')
    : recordUserEvent(db, impersonating(actor, user.id), user.id, 'account.signed_up'))
  if (user.email_verified_at === null) await mailVerification(deps, db, { ...user, email }, proposal)
  else if (await take(db, EMAILS, email, now)) {
    const token = await issueMailToken(db, 'reset_password', user.id, now)
    await sendAccountExists(db, deps, { email, userId: user.id }, token)
  }
}

/** Sends the link again, to a caller who knows the password of an account with an unconfirmed address. */
export async function resendVerification(
  deps: AccountsDeps,
  db: Db,
  userId: UserId,
  redirect: string | undefined,
): Promise<void> {
  const { user, proposal } = await latestSignUp(db, userId, redirect)
  await mailVerification(deps, db, user, proposal)
}

/** Does the same for staff, who have their own limit. */
export async function mailVerificationAgain(deps: AccountsDeps, db: Db, userId: UserId): Promise<void> {
  const { user, proposal } = await latestSignUp(db, userId, undefined)
  await issueVerification(deps, db, user, proposal)
}

async function latestSignUp(db: Db, userId: UserId, redirect: string | undefined) {
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const proposal: Proposal = {
    firstName: user.first_name,
    lastName: user.last_name,
    passwordHash: user.password_hash,
    redirect: redirect ?? (await returnLinkOf(db, user)),
  }
  return { user, proposal }
}

/** Returns the page to return to of the sign-up that set this password: its link and its page may have expired. */
async function returnLinkOf(db: Db, user: { id: UserId; password_hash: string }): Promise<string | undefined> {
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
  readonly id: UserId
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
 * Confirms an address. Returns its user and the page to return to. If a password is given, it becomes the account's.
 * Throws 422 for a used, expired or unknown link, and if a password must be chosen.
 */
export async function verifyEmail(
  deps: AccountsDeps,
  db: Db,
  actor: Actor,
  { token, password }: { readonly token: string; readonly password?: string | undefined },
): Promise<{ userId: UserId; redirect: string | null }> {
  const now = deps.clock.now()
  const { userId, payload } = await redeemMailToken(db, ['verify_email'], token, now)
  const proposal = proposalShape.parse(payload)
  // Locked: a concurrent sign-up is either counted before this, or finds the address confirmed.
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
  await recordUserEvent(db, impersonating(actor, userId), userId, 'email.verified')
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

/** Returns errors that concern two fields together, each valid on its own. */
export const validateSignUp = ({ email, password }: Partial<SignUp>): readonly FieldProblem[] =>
  email !== undefined && password !== undefined && repeatsAddress(password, foldEmail(email)) ? [REPEATED_ADDRESS] : []
