/** The calls of accounts: see testing-calls.ts. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import { revokeApiTokens } from '../../accounts/api-tokens.ts'
import {
  asnTrustOf,
  claimAsn,
  markAsnVerified,
  readAsnOwnership,
  voidOpenLinks,
  voidProofs,
} from '../../accounts/asn/asn-ownership.ts'
import { readVerifiedAsn } from '../../accounts/asn/proof-queries.ts'
import { publishVerified } from '../../accounts/asn/verification-attempts.ts'
import { readAsnProofs } from '../../accounts/asn/proofs.ts'
import { beginTokenProof } from '../../accounts/asn/remark-proof.ts'
import { closeAccount } from '../../accounts/closing.ts'
import { confirmEmailChange } from '../../accounts/emails/email-change.ts'
import { changeMailPreferences } from '../../accounts/emails/mail-preferences.ts'
import { issueMailToken, voidMailTokens } from '../../accounts/emails/mail-tokens.ts'
import { MAIL_KINDS } from '../../accounts/policy.ts'
import { confirmTotp, switchTotpOff } from '../../accounts/second-factor/authenticator-app.ts'
import {
  dropUnusedRecoveryCodes,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from '../../accounts/second-factor/recovery-codes.ts'
import { isRightCode, readFactor, requireNoSecondFactor } from '../../accounts/second-factor/second-factor.ts'
import { recordRecentProof } from '../../accounts/second-factor/step-up.ts'
import { codeAt, stepAt, TOTP_PURPOSE } from '../../accounts/second-factor/totp.ts'
import { lockOpenReset, voidReset } from '../../accounts/second-factor-reset/end-reset.ts'
import { addressesOf } from '../../accounts/second-factor-reset/former-addresses.ts'
import { requestIssue } from '../../accounts/second-factor-reset/may-reset.ts'
import { approveReset, cancelReset, listResets, requestReset } from '../../accounts/second-factor-reset/reset.ts'
import { secondFactorResetReconciler } from '../../accounts/second-factor-reset/reset-job.ts'
import { endOtherSessions, startSession } from '../../accounts/sessions.ts'
import { recordDevice } from '../../accounts/sign-in/known-devices.ts'
import { signInByPasskey } from '../../accounts/sign-in/passkey-sign-in.ts'
import { resetPassword } from '../../accounts/sign-in/password-reset.ts'
import { addSshKey } from '../../accounts/ssh-keys.ts'
import { endSessionsOf } from '../../accounts/support/end-sessions.ts'
import { listNotes } from '../../accounts/support/notes.ts'
import { resendEmail } from '../../accounts/support/resend.ts'
import { liftSuspension, listSuspensions, suspendAccount } from '../../accounts/support/suspension.ts'
import { readStaffSuspension, suspendedByStaff } from '../../accounts/suspended-by-staff.ts'
import { resendVerification, verifyEmail } from '../../accounts/sign-in/sign-up.ts'
import { findCandidate, readCurrentUser } from '../../accounts/users.ts'
import { Problem } from '../../kernel/problem.ts'
import { encrypt } from '../../platform/encryption.ts'
import { call, type Call, type CallContext } from './testing-calls.ts'

const SECRET = Buffer.from('a secret of an app..')
const codeNow = ({ now }: CallContext): string => codeAt(SECRET, stepAt(now))

/** Adds an authenticator app for B, switched on or not. */
const app =
  (on: boolean) =>
  async ({ db, deps, b }: CallContext): Promise<void> => {
    await sql`insert into totp_factors (user_id, encrypted_secret, confirmed_at)
      values (${b.number}, ${encrypt(deps.secretKey, TOTP_PURPOSE, SECRET)}, case when ${on} then now() end)`.execute(
      db,
    )
  }
/** Makes the ASNs of A and B unverified. */
const unverified = async ({ db }: CallContext): Promise<void> => {
  await sql`update asn_ownerships set verified_at = null`.execute(db)
}
/** Thrown where a call would ask a registry: only the queries before that matter here. */
class AsksRegistry extends Error {}

const noPasskeys = async ({ db, a, b }: CallContext): Promise<void> => {
  await sql`delete from passkeys where user_id in (${a.number}, ${b.number})`.execute(db)
}

const suspended = async ({ db }: CallContext): Promise<void> => {
  await sql`update account_suspensions set lifted_at = null, lifted_by = null, lift_reason = null`.execute(db)
}

const withoutReset = async ({ db, a, b }: CallContext): Promise<void> => {
  await sql`delete from second_factor_resets where user_id in (${a.number}, ${b.number})`.execute(db)
}

type Caller = Parameters<typeof suspendAccount>[2]
/** Another user than B, who has just confirmed their identity. */
const someStaff = async ({ db, actor, principal }: CallContext): Promise<Caller> => {
  const { rows } = await sql<{ userId: UserId; accountId: AccountId; sessionId: number }>`
    with staff as (
      insert into users (email, first_name, last_name, password_hash, staff_roles)
      values ('staff-of-call@example.net', 'A', 'B', '-', '{support}') returning id, account_id)
    insert into sessions (digest, user_id, created_at, last_seen_at, ip, user_agent, confirmed_at)
    select sha256('staff-of-call'), id, now(), now(), '192.0.2.1', '', now() from staff
    returning user_id as "userId", (select account_id from staff) as "accountId", id as "sessionId"`.execute(db)
  return { actor, principal: { ...principal, ...rows[0]!, isAdmin: true, roles: ['support'] } }
}

const ORIGIN = { ip: '10.0.0.1', userAgent: 'test', replaces: null }
const unproved = async ({ db, a, b }: CallContext): Promise<void> => {
  await sql`update users set email_verified_at = null where id in (${a.number}, ${b.number})`.execute(db)
}
const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBcHWXJQm6yUqzpA4Ie6U2VYVwKc9yYcGJkZ0cFv3z8M call@example.org'
const NEW_PASSWORD = 'a stork walked slowly'

export const ACCOUNT_CALLS: readonly Call[] = [
  call('read the account', ({ db, b }) => readCurrentUser(db, b.number, { staffSecondFactor: false }), suspended),
  call('start a session', ({ db, deps, actor, b, now }) => startSession(deps, db, b.number, { ...ORIGIN, actor }, now)),
  call(
    'recognize an address of A at the sign-in of B',
    ({ db, b }) => findCandidate(db, `${b.marker}@example.org`, '192.0.2.7'),
    ({ db, a }) => sql`update sessions set ip = '192.0.2.7' where user_id = ${a.number}`.execute(db),
  ),
  call(
    'sign in with a passkey that does not sign',
    ({ deps, actor }, id: string) =>
      signInByPasskey(
        deps,
        { id, userHandle: null, clientDataJSON: 'e30', authenticatorData: '', signature: '' },
        { ...ORIGIN, actor },
      ).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error
      }),
    async ({ db, b }) => {
      const { credential_id: id } = await db
        .selectFrom('passkeys')
        .select('credential_id')
        .where('user_id', '=', b.number)
        .executeTakeFirstOrThrow()
      return id.toString('base64url')
    },
  ),
  call(
    'set a password with a link',
    ({ db, deps, actor }, token: string) => resetPassword(deps, db, actor, { token, password: NEW_PASSWORD }),
    async (context) => {
      await unproved(context)
      return issueMailToken(context.db, 'reset_password', context.b.number, context.now)
    },
  ),
  call(
    'prove the address of a sign-up',
    ({ db, deps, actor }, token: string) => verifyEmail(deps, db, actor, { token }),
    async (context) => {
      await unproved(context)
      const proposal = { firstName: 'B', lastName: 'B', passwordHash: '-' }
      return issueMailToken(context.db, 'verify_email', context.b.number, context.now, proposal)
    },
  ),
  call('warn of wrong codes', async ({ deps, actor, b }) => {
    for (let guess = 0; guess < 5; guess++) await isRightCode(deps, actor, b.number, 'no code of an app')
  }),
  call('add an SSH key', ({ db, actor, b }) => addSshKey(db, actor, b.account, { publicKey: SSH_KEY })),
  call('announce that the ASN is verified', ({ db, deps, actor, b }) =>
    publishVerified(deps, db, actor, b.account, b.asn, {}),
  ),
  call('revoke the tokens', ({ db, actor, b }) => revokeApiTokens(db, actor, b.number, 'all')),
  call('claim another ASN', ({ db, actor, b }) => claimAsn(db, actor, b.account, 3_333)),
  call('mark the ASN as verified', ({ db, b, now }) => markAsnVerified(db, b.account, b.asn, now), unverified),
  call('read the ASN', ({ db, b, now }) => readAsnOwnership(db, b.account, now)),
  call('say how the ASN was verified', ({ db, b, now }) => asnTrustOf(db, b.account, now)),
  call('read the proofs of the ASN', ({ db, b }) => readVerifiedAsn(db, b.account)),
  call('read the menu of proofs', ({ db, deps, b }) => readAsnProofs(deps, db, b.account), unverified),
  call(
    'end the open links',
    ({ db, b }) => voidOpenLinks(db, b.account),
    async ({ db, b }) =>
      void (await sql`update asn_verifications set verified_at = null where account_id = ${b.account}`.execute(db)),
  ),
  call('end the proofs', ({ db, b, now }) => voidProofs(db, b.account, now)),
  call(
    'begin a proof by a remark again',
    ({ db, deps, actor, principal }) => beginTokenProof(deps, db, actor, principal),
    async ({ db, b }) =>
      void (await sql`update asn_verifications set method = 'autnum_token', contradicted_at = now() where account_id = ${b.account}`.execute(
        db,
      )),
  ),
  call('close the account', ({ db, deps, actor, principal }) => closeAccount(deps, db, actor, principal)),
  call(
    'confirm a new address',
    ({ db, deps, actor }, token: string) => confirmEmailChange(deps, db, actor, token),
    async ({ db, b, now }) => {
      await sql`update email_changes set old_confirmed_at = null, new_confirmed_at = now() where user_id = ${b.number}`.execute(
        db,
      )
      return issueMailToken(db, 'change_email_old', b.number, now)
    },
  ),
  call('switch mails on', ({ db, actor, b }) =>
    changeMailPreferences(db, actor, b.number, Object.fromEntries(MAIL_KINDS.map((kind) => [kind, true]))),
  ),
  call(
    'end links in mailboxes',
    ({ db, b }) => voidMailTokens(db, b.number, ['reset_password']),
    async ({ db, b, now }) => void (await issueMailToken(db, 'reset_password', b.number, now)),
  ),
  call(
    'switch an app on',
    (context) => confirmTotp(context.deps, context.actor, context.principal, codeNow(context)),
    app(false),
  ),
  call('switch an app off', ({ deps, actor, principal }) => switchTotpOff(deps, actor, principal), app(true)),
  call('read the app', ({ deps, b }) => readFactor(deps, b.number), app(true)),
  call(
    'take a code of the app',
    (context) => isRightCode(context.deps, context.actor, context.b.number, codeNow(context)),
    app(true),
  ),
  call(
    'find no second factor',
    ({ db, b }) => requireNoSecondFactor(db, b.number),
    async (context) => {
      await noPasskeys(context)
      await app(true)({ ...context, b: context.a })
    },
  ),
  call(
    'take a recovery code',
    ({ deps, actor, b }, [code]: string[]) => takeRecoveryCode(deps, actor, b.number, code!),
    ({ db, b }) => replaceRecoveryCodes(db, b.number),
  ),
  call('drop recovery codes', ({ db, b }) => dropUnusedRecoveryCodes(db, b.number), noPasskeys),
  call('confirm a session of A', ({ db, deps, a, principal }) =>
    recordRecentProof(deps, db, { ...principal, sessionId: a.number }),
  ),
  call('end other sessions', ({ db, actor, b }) => endOtherSessions(db, actor, b.number, null)),
  call(
    'know a device',
    ({ db, deps, b, now }) => recordDevice(db, deps, b.number, { ip: '10.0.0.1', userAgent: 'test' }, now),
    ({ db, b }) => sql`update users set last_sign_in_at = now() where id = ${b.number}`.execute(db),
  ),
  call(
    'send the link of a sign-up again',
    ({ db, deps, b }) => resendVerification(deps, db, b.number, undefined),
    async ({ db, b, now }) => {
      const proposal = { firstName: 'B', lastName: 'B', passwordHash: '-' }
      await sql`delete from mail_tokens where user_id = ${b.number}`.execute(db)
      await issueMailToken(db, 'verify_email', b.number, now, proposal)
    },
  ),
  call('sign a user out', ({ db, deps, actor, principal, b }) =>
    endSessionsOf(deps, db, { actor, principal }, b.number, 'x'),
  ),
  call('read the suspension', ({ db, b }) => readStaffSuspension(db, b.account), suspended),
  call(
    'tell whether the account is suspended',
    ({ db, b }) =>
      db.selectFrom('users').select(suspendedByStaff('users.account_id').as('is')).where('id', '=', b.number).execute(),
    // A meets the condition and B does not: EXISTS stops at the first row.
    async ({ db, a }) =>
      void (await sql`update account_suspensions set lifted_at = null, lifted_by = null, lift_reason = null
        where account_id = ${a.account}`.execute(db)),
  ),
  call('list suspensions', ({ db, b }) => listSuspensions(db, b.number)),
  call(
    'suspend the account',
    (context, staff: Caller) => suspendAccount(context.deps, context.db, staff, context.b.number, 'x'),
    someStaff,
  ),
  call(
    'lift the suspension',
    (context, staff: Caller) => liftSuspension(context.deps, context.db, staff, context.b.number, 'x'),
    async (context) => {
      await suspended(context)
      return someStaff(context)
    },
  ),
  call('list the resets of the second factor', ({ db, deps, principal, b }) =>
    listResets(deps, db, principal, b.number),
  ),
  call(
    'request a reset of the second factor',
    ({ db, deps, b }, staff: Caller) => requestReset(deps, db, staff, b.number, { reason: 'x', identityCheck: 'x' }),
    async (context) => {
      await withoutReset(context)
      return someStaff(context)
    },
  ),
  call(
    'approve a reset of the second factor',
    ({ db, deps, b }, staff: Caller) => approveReset(deps, db, staff, b.number, b.number),
    someStaff,
  ),
  call(
    'find no reset of another id',
    ({ db, deps, a, b }, staff: Caller) =>
      approveReset(deps, db, staff, b.number, a.number).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error
      }),
    someStaff,
  ),
  call(
    'cancel a reset of the second factor',
    ({ db, deps, b }, staff: Caller) => cancelReset(deps, db, staff, b.number, { resetId: b.number, reason: 'x' }),
    someStaff,
  ),
  call(
    'tell whether staff access changed lately',
    ({ db, a, b, now }) =>
      requestIssue(
        db,
        { userId: b.number, roles: ['owner'] },
        { id: a.number, accountId: a.account, email: '', isStaff: false, isVerified: true },
        now,
      ),
    // A's row meets the condition and B's does not: EXISTS stops at the first row.
    async ({ db, a }) =>
      void (await sql`update audit_events set action = 'account.roles_changed', actor_kind = 'staff', at = now()
        where account_id = ${a.account}`.execute(db)),
  ),
  call('hold the reset of the second factor', ({ db, b }) => lockOpenReset(db, b.number)),
  call('end the reset of an account that closes', ({ db, b, now }) => voidReset(db, b.number, now)),
  call(
    'carry out the reset of the second factor',
    async ({ db, deps, b }) => {
      await secondFactorResetReconciler(deps).reconcile(b.number, AbortSignal.timeout(5_000))
      const { rows } =
        await sql`select from second_factor_resets where user_id = ${b.number} and outcome = 'completed'`.execute(db)
      // Otherwise the reset ended before it removed anything.
      if (rows.length === 0) throw new Error('the reset was not carried out')
    },
    async (context) => {
      await app(true)(context)
      const { principal } = await someStaff(context)
      await sql`update second_factor_resets set approved_by = ${principal.userId}, approved_at = now(), due_at = now() - interval '1 s'`.execute(
        context.db,
      )
    },
  ),
  call(
    'read the former addresses',
    ({ db, b, now }) => addressesOf(db, b.number, now),
    async ({ db, b }) =>
      void (await sql`update audit_events set action = 'email.changed', data = '{"from": "former@example.net"}', at = now()
        where account_id = ${b.account}`.execute(db)),
  ),
  call('list notes', ({ db, b }) => listNotes(db, b.number, { limit: 10 })),
  call(
    'send the link of an ASN again',
    ({ db, deps, actor, a, b }) =>
      resendEmail(deps, db, () => Promise.reject(new AsksRegistry()), {
        actor,
        principal: { userId: a.number, accountId: a.account },
        userId: b.number,
        email: 'asn_verification',
      }).catch((error: unknown) => {
        if (!(error instanceof AsksRegistry)) throw error
      }),
    async (context) => {
      const { db, b } = context
      await unverified(context)
      await sql`update asn_verifications set verified_at = null, voided_at = null, method = 'registry_contact',
                  contact_email = 'noc@example.net' where account_id = ${b.account}`.execute(db)
    },
  ),
]
