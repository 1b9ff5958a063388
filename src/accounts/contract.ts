/** The border of accounts: who somebody is, how they prove it, and which ASN is theirs. Imported by the browser as types alone. */
import { z } from 'zod'
import { defineApi, type Answer } from '../kernel/endpoint.ts'
import { API_TOKEN_MAX_DAYS, EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from './policy.ts'
import { passwordSchema } from './password-policy.ts'

const email = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH, `takes at most ${EMAIL_MAX_LENGTH} characters`)
  .pipe(z.email('is not an e-mail address'))
const givenName = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(NAME_MAX_LENGTH, `takes at most ${NAME_MAX_LENGTH} characters`)
  .regex(/^[^\p{C}]*$/u, 'may not contain control characters')
/** What is compared with a stored secret: any text, since a wrong one is refused anyway; bounded because it is hashed. */
const presented = z.string().min(1, 'is required').max(200, 'is too long')
const code = z.string().trim().min(1, 'is required').max(40, 'is too long')
const id = z.object({ id: z.coerce.number().int().positive().max(2147483647) })
const time = z.iso.datetime()

const currentUser = z.object({
  id: z.int(),
  email: z.string(),
  isAdmin: z.boolean(),
  asn: z.int().nullable(),
  asnVerifiedAt: time.nullable(),
  firstName: z.string(),
  lastName: z.string(),
  hasTotp: z.boolean(),
  createdAt: time,
  lastSignInAt: time.nullable(),
  lastSignInIp: z.string().nullable(),
})

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

const apiToken = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: time.nullable(),
  lastUsedIp: z.string().nullable(),
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

const contact = z.object({ email: z.string(), roles: z.array(z.string()), source: z.string() })

const asnVerification = z.object({
  id: z.int(),
  asn: z.int(),
  email: z.string(),
  createdAt: time,
  expiresAt: time,
  link: z.string(),
})

export const accountsApi = defineApi({
  'POST /api/users': {
    summary: 'Sign up; a mail with a link follows, whether or not the address is known',
    access: 'public',
    body: z.strictObject({ firstName: givenName, lastName: givenName, email, password: passwordSchema }),
    ok: [202, null],
  },
  'POST /api/verify/email': {
    summary: 'Prove an address with the link of a mail; signs in',
    access: 'public',
    body: z.strictObject({ token: presented }),
    ok: [200, currentUser],
  },
  'POST /api/session': {
    summary: 'Sign in',
    access: 'public',
    transaction: 'own',
    body: z.strictObject({ email: presented, password: presented, code: code.optional() }),
    ok: [201, currentUser],
    refuses: [401, 403],
  },
  'DELETE /api/session': { summary: 'Sign out', access: 'session', ok: [204, null] },
  'GET /api/sessions': { summary: 'Where the account is signed in', access: 'session', ok: [200, z.array(session)] },
  'DELETE /api/sessions': { summary: 'End all sessions but this one', access: 'session', ok: [204, null] },
  'DELETE /api/sessions/{id}': { summary: 'End a session', access: 'session', params: id, ok: [204, null] },
  'POST /api/password/reset': {
    summary: 'Ask for a link to set a new password',
    access: 'public',
    body: z.strictObject({ email }),
    ok: [202, null],
  },
  'POST /api/password': {
    summary: 'Set a new password with the link of a mail; ends every session',
    access: 'public',
    body: z.strictObject({ token: presented, password: passwordSchema }),
    ok: [204, null],
  },
  'GET /api/user': { summary: 'Who is signed in', access: 'session', ok: [200, currentUser] },
  'PATCH /api/user': {
    summary: 'Change own names',
    access: 'session',
    body: z.strictObject({ firstName: givenName.optional(), lastName: givenName.optional() }),
    ok: [200, currentUser],
  },
  'PUT /api/user/password': {
    summary: 'Change the password; ends every other session',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ currentPassword: presented, password: passwordSchema }),
    ok: [204, null],
  },
  'POST /api/user/email': {
    summary: 'Ask for another address; letters to the old and the new one follow, and both must agree',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ email, password: presented }),
    ok: [202, null],
  },
  'POST /api/verify/email_change': {
    summary: 'Agree to a change of address with the link of a mail; it is done when both mailboxes have agreed',
    access: 'public',
    body: z.strictObject({ token: presented }),
    ok: [200, z.object({ email: z.string(), waitingFor: z.enum(['old', 'new']).nullable() })],
    refuses: [409],
  },
  'POST /api/user/close': {
    summary: 'Close the account for good; refused while something of it still runs or is owed',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ password: presented }),
    ok: [204, null],
    refuses: [409],
  },
  'POST /api/user/totp': {
    summary: 'Begin to set up an authenticator app',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ password: presented }),
    ok: [201, z.object({ secret: z.string(), uri: z.string() })],
    refuses: [409],
  },
  'PUT /api/user/totp': {
    summary: 'Switch the authenticator app on with its first code; answers the recovery codes, once',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ code }),
    ok: [200, z.object({ recoveryCodes: z.array(z.string()) })],
    refuses: [409],
  },
  'DELETE /api/user/totp': {
    summary: 'Switch the authenticator app off',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({ password: presented }),
    ok: [204, null],
    refuses: [409],
  },
  'GET /api/user/ssh_keys': { summary: 'Own SSH keys', access: 'session', ok: [200, z.array(sshKey)] },
  'POST /api/user/ssh_keys': {
    summary: 'Add an SSH key; new routers let it in',
    access: 'session',
    body: z.strictObject({ name: givenName.optional(), publicKey: z.string().max(16_384, 'is too long') }),
    ok: [201, sshKey],
  },
  'DELETE /api/user/ssh_keys/{id}': { summary: 'Remove an SSH key', access: 'session', params: id, ok: [204, null] },
  'GET /api/user/api_tokens': { summary: 'Own tokens for programs', access: 'session', ok: [200, z.array(apiToken)] },
  'POST /api/user/api_tokens': {
    summary: 'Make a token for a program; answers its secret, once',
    access: 'session',
    transaction: 'own',
    body: z.strictObject({
      name: givenName,
      expiresInDays: z.int().min(1).max(API_TOKEN_MAX_DAYS).default(90),
      password: presented,
    }),
    ok: [201, apiToken.extend({ token: z.string() })],
    refuses: [409],
  },
  'DELETE /api/user/api_tokens/{id}': { summary: 'Revoke a token', access: 'session', params: id, ok: [204, null] },
  'GET /api/audit_events': {
    summary: 'What happened in the account, newest first',
    access: 'session',
    query: z.object({
      before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    /** `next` goes into `before` for the page after; null on the last. */
    ok: [200, z.object({ events: z.array(auditEvent), next: z.int().nullable() })],
  },
  'GET /api/admin/users/{id}/asn_verifications/new': {
    summary: 'Whom the registry lists for the ASN of a user',
    access: 'admin',
    params: id,
    ok: [
      200,
      z.object({
        user: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
        asn: z.int().nullable(),
        asnVerifiedAt: time.nullable(),
        holder: z.string().nullable(),
        contacts: z.array(contact),
        /** The link of the last verification that is still open. */
        link: z.string().nullable(),
      }),
    ],
  },
  'POST /api/admin/users/{id}/asn_verifications': {
    summary: 'Send the link that proves an ASN to one of the contacts that the registry lists',
    access: 'admin',
    params: id,
    body: z.strictObject({ email }),
    ok: [201, asnVerification],
    refuses: [409],
  },
  'POST /api/verify/asn': {
    summary: 'Prove an ASN with the link of a mail',
    access: 'public',
    body: z.strictObject({ token: presented }),
    ok: [200, z.object({ asn: z.int(), asnVerifiedAt: time })],
    refuses: [409],
  },
})

export type AccountsApi = typeof accountsApi
export type CurrentUser = Answer<AccountsApi['GET /api/user']>
export type Session = z.output<typeof session>
export type ApiToken = z.output<typeof apiToken>
export type SshKey = z.output<typeof sshKey>
export type AuditEvent = z.output<typeof auditEvent>
