/** The API contract of sign-in methods: sessions, passwords, second factors and API tokens. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { SCOPES } from '../../kernel/scope.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { code, currentUser, givenName, presented } from './shapes.ts'
import { API_TOKEN_MAX_DAYS, TOKEN_NETWORKS_MAX } from '../policy.ts'

const scopes = z.array(z.enum(SCOPES))
const apiToken = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: time.nullable(),
  lastUsedIp: z.string().nullable(),
  scopes,
  /** Networks that may use the token. Empty means any address. */
  networks: z.array(z.string()),
})

/** Bytes of an authenticator, base64url without padding (RFC 4648 section 5). */
const bytes = (max: number) =>
  z
    .string()
    .min(1, 'is required')
    .max(max, 'is too long')
    .regex(/^[\w-]+$/, 'is not base64url')
/** WebAuthn Level 3, section 5.8.4: the list may grow. */
const transports = z.array(z.string().regex(/^[a-z-]{1,20}$/)).max(10)
const relyingParty = z.object({ id: z.string(), origins: z.array(z.string()) })

const passkey = z.object({
  id: z.int(),
  name: z.string(),
  /** A service syncs it to other devices of its owner. */
  synced: z.boolean(),
  createdAt: time,
  lastUsedAt: time.nullable(),
})
const passkeyCreation = z.object({
  relyingParty: relyingParty.extend({ name: z.string() }),
  challenge: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  /** Credentials that the account already has. */
  known: z.array(z.string()),
})
const passkeyRequest = z.object({
  relyingParty,
  challenge: z.string(),
  /** The credentials of a known user. Empty means any that the authenticator finds. */
  allowed: z.array(z.object({ id: z.string(), transports: z.array(z.string()) })),
})
const registration = z.strictObject({
  name: givenName,
  credential: z.strictObject({
    id: bytes(1_400),
    clientDataJSON: bytes(8_000),
    attestationObject: bytes(32_000),
    transports,
  }),
})
const assertion = z.strictObject({
  id: bytes(1_400),
  clientDataJSON: bytes(8_000),
  authenticatorData: bytes(8_000),
  signature: bytes(2_000),
  userHandle: bytes(100).nullable(),
})

export const securityApi = defineApi({
  'POST /api/passkey_requests': {
    summary: 'A WebAuthn challenge: for the signed-in user, or for any user without a session',
    access: 'public',
    impersonation: 'always',
    body: z.strictObject({}),
    ok: [200, passkeyRequest],
    errors: [409],
  },
  'POST /api/session/passkey': {
    summary: 'Sign in with a passkey',
    access: 'public',
    impersonation: 'always',
    keyless: true,
    transaction: 'own',
    body: assertion,
    ok: [201, currentUser],
    errors: [401, 409],
  },
  'GET /api/session/confirmation': {
    summary: 'How long the identity stays confirmed in this session, and how to confirm it',
    access: 'session',
    ok: [
      200,
      z.object({
        until: time.nullable(),
        passkeys: z.int(),
        /** The code required beside the password: of the app or a recovery code, or only a recovery code. */
        code: z.enum(['app', 'recovery']).nullable(),
      }),
    ],
  },
  'POST /api/session/confirmation': {
    summary: "Confirm one's identity with the password and, if set up, a second-factor code. Valid for ten minutes",
    access: 'session',
    impersonation: 'always',
    transaction: 'own',
    body: z.strictObject({ password: presented, code: code.optional() }),
    ok: [204, null],
  },
  'POST /api/session/confirmation/passkey': {
    summary: "Confirm one's identity with a passkey. Valid for ten minutes",
    access: 'session',
    impersonation: 'always',
    body: assertion,
    ok: [204, null],
    errors: [409],
  },
  'GET /api/user/passkeys': { summary: 'Passkeys of the user', access: 'session', ok: [200, z.array(passkey)] },
  'POST /api/user/passkeys/requests': {
    summary: 'A WebAuthn challenge to create a passkey',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [200, passkeyCreation],
    errors: [409],
  },
  'POST /api/user/passkeys': {
    summary: 'Register a passkey. The first one ends every other session, and returns the recovery codes once',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: registration,
    /** Null if the account already has recovery codes. */
    ok: [201, passkey.extend({ recoveryCodes: z.array(z.string()).nullable() })],
    errors: [409],
  },
  'PATCH /api/user/passkeys/{id}': {
    summary: 'Rename a passkey',
    access: 'session',
    impersonation: 'never',
    params: byId,
    body: z.strictObject({ name: givenName }),
    ok: [200, passkey],
  },
  'DELETE /api/user/passkeys/{id}': {
    summary: 'Remove a passkey',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [204, null],
  },
  'POST /api/user/totp': {
    summary: 'Start to set up an authenticator app',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [201, z.object({ secret: z.string(), uri: z.string() })],
    errors: [409],
  },
  'PUT /api/user/totp': {
    summary: 'Turn on the authenticator app with its first code. Returns the recovery codes once',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({ code }),
    ok: [200, z.object({ recoveryCodes: z.array(z.string()) })],
    errors: [409],
  },
  'DELETE /api/user/totp': {
    summary: 'Turn off the authenticator app',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    ok: [204, null],
    errors: [409],
  },
  'GET /api/user/recovery_codes': {
    summary: 'How many recovery codes are left',
    access: 'session',
    ok: [200, z.object({ left: z.int() })],
  },
  'POST /api/user/recovery_codes': {
    summary: 'Create new recovery codes. The old ones stop working',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({}),
    ok: [201, z.object({ recoveryCodes: z.array(z.string()) })],
    errors: [409],
  },
  'GET /api/user/api_tokens': { summary: 'API tokens of the account', access: 'session', ok: [200, z.array(apiToken)] },
  'POST /api/user/api_tokens': {
    summary: 'Create an API token. Returns its secret once',
    access: 'session',
    impersonation: 'never',
    transaction: 'own',
    body: z.strictObject({
      name: givenName,
      expiresInDays: z.int().min(1).max(API_TOKEN_MAX_DAYS).default(90),
      scopes: scopes.min(1, 'takes at least one'),
      networks: z.array(z.string().trim().max(50, 'is too long')).max(TOKEN_NETWORKS_MAX).default([]),
    }),
    ok: [201, apiToken.extend({ token: z.string() })],
    errors: [409],
  },
  'DELETE /api/user/api_tokens/{id}': {
    summary: 'Revoke a token',
    access: 'session',
    impersonation: 'never',
    params: byId,
    ok: [204, null],
  },
})

export type ApiToken = z.output<typeof apiToken>
export type Passkey = z.output<typeof passkey>
export type PasskeyCreation = z.output<typeof passkeyCreation>
export type PasskeyRequest = z.output<typeof passkeyRequest>
export type PasskeyRegistration = z.output<typeof registration>
export type PasskeyAssertion = z.output<typeof assertion>
