/**
 * The API contract of accounts: users, how they prove their identity, and their ASN. The browser imports only its
 * types.
 */
import { z } from 'zod'
import { defineApi, type Answer } from '../kernel/endpoint.ts'
import { byId, bigId, pageLimit, time } from '../kernel/shapes.ts'
import { impersonationApi } from './contract/impersonation.ts'
import { agentsApi } from './contract/agents.ts'
import { asnApi } from './contract/asn.ts'
import { secondFactorResetApi } from './contract/second-factor-reset.ts'
import { securityApi } from './contract/security.ts'
import { code, currentUser, email, givenName, presented, returnPath } from './contract/shapes.ts'
import { staffApi } from './contract/staff.ts'
import { supportApi } from './contract/support.ts'
import { MAIL_KINDS } from './policy.ts'
import { passwordSchema } from './sign-in/password-policy.ts'

const session = z.object({
  id: z.int(),
  current: z.boolean(),
  createdAt: time,
  lastSeenAt: time,
  ip: z.string(),
  userAgent: z.string(),
})

const sshKey = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  fingerprint: z.string(),
  publicKey: z.string(),
  createdAt: time,
})

const auditEvent = z.object({
  id: z.int(),
  at: time,
  /** Noun and past participle: `session.started`, `router.created`. */
  action: z.string(),
  by: z.enum(['you', 'staff', 'system']),
  subject: z.object({ type: z.string(), id: z.int().nullable() }),
  ip: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
})

const mailPreferences = z.record(z.enum(MAIL_KINDS), z.boolean())

export const profileApi = defineApi({
  'POST /api/users': {
    summary: 'Sign up. An email with a link follows, whether or not the address is known',
    access: 'public',
    impersonation: 'never',
    body: z.strictObject({
      firstName: givenName,
      lastName: givenName,
      email,
      password: passwordSchema,
      /** Returned once the address is confirmed. */
      redirect: returnPath.optional(),
    }),
    ok: [202, null],
  },
  'POST /api/verify/email': {
    summary: 'Confirm an email address with an emailed link, and sign in',
    access: 'public',
    impersonation: 'never',
    keyless: true,
    /** The password is required (422 with the code `password_required`) after sign-ups with different passwords. */
    body: z.strictObject({ token: presented, password: passwordSchema.optional() }),
    /** The page that the sign-up behind the link asked to return to. */
    ok: [200, currentUser.extend({ redirect: z.string().nullable() })],
  },
  'POST /api/session': {
    summary: 'Sign in',
    access: 'public',
    impersonation: 'always',
    keyless: true,
    transaction: 'own',
    body: z.strictObject({
      email: presented,
      password: presented,
      code: code.optional(),
      /** Used in the email that is sent again while the address is unconfirmed. */
      redirect: returnPath.optional(),
    }),
    ok: [201, currentUser],
    errors: [401, 403],
  },
  'DELETE /api/session': { summary: 'Sign out', access: 'session', impersonation: 'always', ok: [204, null] },
  'GET /api/sessions': { summary: 'Sessions of the account', access: 'session', ok: [200, z.array(session)] },
  'DELETE /api/sessions': {
    summary: 'End all sessions but this one',
    access: 'session',
    impersonation: 'never',
    ok: [204, null],
  },
  'DELETE /api/sessions/{id}': {
    summary: 'End a session',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [204, null],
  },
  'POST /api/password/reset': {
    summary: 'Ask for a link to set a new password',
    access: 'public',
    impersonation: 'never',
    body: z.strictObject({ email }),
    ok: [202, null],
  },
  'POST /api/password': {
    summary: 'Set a new password with an emailed link. Ends every session and revokes every API token',
    access: 'public',
    impersonation: 'never',
    body: z.strictObject({ token: presented, password: passwordSchema }),
    ok: [204, null],
  },
  'GET /api/user': { summary: 'The signed-in user', access: 'session', ok: [200, currentUser] },
  'PATCH /api/user': {
    summary: 'Change the name of the user',
    access: 'session',
    auditMessage: 'changed your name',
    body: z.strictObject({ firstName: givenName.optional(), lastName: givenName.optional() }),
    ok: [200, currentUser],
  },
  'PUT /api/user/password': {
    summary: 'Change password; ends every other session, and every API token unless `keepApiTokens` is true',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({ password: passwordSchema, keepApiTokens: z.boolean().optional() }),
    ok: [204, null],
  },
  'POST /api/user/email': {
    summary: 'Request another email address; both the old and the new one must be confirmed by a link',
    access: 'session',
    impersonation: 'never',
    body: z.strictObject({ email }),
    ok: [202, null],
  },
  'POST /api/verify/email_change': {
    summary: 'Confirm a change of email address with an emailed link. Both addresses must confirm',
    access: 'public',
    impersonation: 'never',
    body: z.strictObject({ token: presented }),
    ok: [200, z.object({ email: z.string(), waitingFor: z.enum(['old', 'new']).nullable() })],
    errors: [409],
  },
  'GET /api/user/close': {
    summary: 'What prevents closing the account',
    access: 'session',
    ok: [200, z.object({ blockers: z.array(z.string()) })],
  },
  'POST /api/user/close': {
    summary: 'Close the account permanently; refused while resources exist or an amount is due',
    access: 'session',
    impersonation: 'never',
    /** The account's own address, typed again so that nobody closes an account by mistake. */
    body: z.strictObject({ email: presented }),
    ok: [204, null],
    errors: [409],
  },
  'GET /api/user/mail_preferences': {
    summary: 'The optional kinds of email, and whether each is on',
    access: 'session',
    ok: [200, mailPreferences],
  },
  'PATCH /api/user/mail_preferences': {
    summary: 'Turn kinds of email on or off',
    access: 'session',
    auditMessage: 'changed which mails you get',
    body: z.partialRecord(z.enum(MAIL_KINDS), z.boolean()),
    ok: [200, mailPreferences],
  },
  'GET /api/user/ssh_keys': { summary: 'SSH keys of the account', access: 'session', ok: [200, z.array(sshKey)] },
  'POST /api/user/ssh_keys': {
    summary: 'Add an SSH key. New routers get it',
    access: 'session',
    impersonation: 'never',
    body: z.strictObject({ name: givenName.optional(), publicKey: z.string().max(16_384, 'is too long') }),
    ok: [201, sshKey],
  },
  'DELETE /api/user/ssh_keys/{id}': {
    summary: 'Remove an SSH key',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [204, null],
  },
  'GET /api/audit_events': {
    summary: 'Activity of the account, newest first',
    access: 'session',
    query: z.object({
      before: bigId.optional(),
      limit: pageLimit,
    }),
    /** Pass `next` as `before` to get the next page; null on the last page. */
    ok: [200, z.object({ events: z.array(auditEvent), next: z.int().nullable() })],
  },
})

/** All endpoints of accounts. */
export const accountsApi = {
  ...profileApi,
  ...securityApi,
  ...asnApi,
  ...impersonationApi,
  ...staffApi,
  ...supportApi,
  ...secondFactorResetApi,
  ...agentsApi,
}

export type AccountsApi = typeof accountsApi
export type CurrentUser = Answer<AccountsApi['GET /api/user']>
export type Session = z.output<typeof session>
export type SshKey = z.output<typeof sshKey>
export type AuditEvent = z.output<typeof auditEvent>
export type MailPreferences = z.output<typeof mailPreferences>
export type { ImpersonationSession } from './contract/impersonation.ts'
export type { Agent } from './contract/agents.ts'
export type { StaffMember } from './contract/staff.ts'
export type { ResendableEmail } from './contract/support.ts'
export type { SecondFactorReset, SecondFactorResets } from './contract/second-factor-reset.ts'
export type { AsnProofs } from './contract/asn.ts'
export type {
  ApiToken,
  Passkey,
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from './contract/security.ts'
