/**
 * Staff resend emails that contain a link. Each goes to its usual recipient, never to an address that staff type, and
 * its link is only in the email.
 */
import type { UserId } from '../../kernel/ids.ts'
import { conflict, tooMany } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import type { FetchAutnum } from '../asn/registry-lookup.ts'
import { sendAsnVerificationTo } from '../asn/verification.ts'
import type { ResendableEmail } from '../contract/support.ts'
import type { AccountsDeps } from '../deps.ts'
import { sendPasswordReset } from '../emails/emails.ts'
import { issueMailToken } from '../emails/mail-tokens.ts'
import { recordUserEvent } from '../events.ts'
import { mailVerificationAgain } from '../sign-in/sign-up.ts'
import { take, type Limit } from '../throttle.ts'
import { requireUser, type Target } from './target.ts'

const MINUTE = 60_000
/** Separate from the limit that strangers can use up by requesting the same emails. */
const TO_USER: Limit = { name: 'resend to user', burst: 3, refillMs: 20 * MINUTE }
const BY_STAFF: Limit = { name: 'resend by staff', burst: 30, refillMs: 2 * MINUTE }

/** Throws 429 if the user was sent this email too often, or the member of staff sent any too often. */
export async function requireResendCapacity(
  db: Db,
  { staffId, userId, email, now }: { staffId: UserId; userId: UserId; email: string; now: Date },
): Promise<void> {
  const free = (await take(db, BY_STAFF, String(staffId), now)) && (await take(db, TO_USER, `${userId} ${email}`, now))
  if (!free) throw tooMany('This email was sent several times already. Try again later.', TO_USER.refillMs / 1000)
}

interface Resend {
  readonly actor: Actor
  readonly principal: Pick<Principal, 'userId' | 'accountId'>
  readonly userId: UserId
  readonly email: ResendableEmail
}

/** Returns the address that it was sent to. Throws 409 if there is nothing to confirm, prove or resend. */
export async function resendEmail(
  deps: AccountsDeps,
  db: Db,
  fetchAutnum: FetchAutnum,
  request: Resend,
): Promise<string> {
  const { actor, principal, userId, email } = request
  const user = await requireUser(db, userId)
  await requireResendCapacity(db, { staffId: principal.userId, userId, email, now: deps.clock.now() })
  const to = await SEND[email](deps, db, user, { actor, principal, fetchAutnum })
  if (email !== 'asn_verification') await recordUserEvent(db, actor, userId, 'email.resent', { email, to })
  return to
}

type Send = (
  deps: AccountsDeps,
  db: Db,
  user: Target,
  by: Pick<Resend, 'actor' | 'principal'> & { readonly fetchAutnum: FetchAutnum },
) => Promise<string>

const SEND: Readonly<Record<ResendableEmail, Send>> = {
  async confirmation(deps, db, user) {
    if (user.isVerified) throw conflict('This address is already confirmed.')
    await mailVerificationAgain(deps, db, user.id)
    return user.email
  },
  async password_reset(deps, db, user) {
    const token = await issueMailToken(db, 'reset_password', user.id, deps.clock.now())
    await sendPasswordReset(db, deps, { email: user.email, userId: user.id }, token)
    return user.email
  },
  /** Asks the registry again: a contact that it no longer lists is rejected with 422. */
  async asn_verification(deps, db, { accountId }, { actor, principal, fetchAutnum }) {
    const last = await db
      .selectFrom('asn_verifications')
      .select('contact_email')
      .where('account_id', '=', accountId)
      .where('method', '=', 'registry_contact')
      .where('verified_at', 'is', null)
      .where('voided_at', 'is', null)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    if (!last?.contact_email) {
      throw conflict('No ASN verification is pending. Choose a contact under Send ASN Verification first.')
    }
    const request = { actor, principal, accountId, email: last.contact_email }
    return (await sendAsnVerificationTo(deps, db, fetchAutnum, request)).email
  },
}
