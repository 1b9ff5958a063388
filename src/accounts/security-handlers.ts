/** Handlers of `contract/security.ts`. Changes to sign-in methods require a recent identity confirmation. */
import { inTransaction } from '../platform/db/index.ts'
import type { Context, Handlers } from '../platform/http/mount.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts'
import type { securityApi } from './contract/security.ts'
import type { AccountsDeps } from './deps.ts'
import { askForPasskey, confirmByPasskey, signInByPasskey } from './sign-in/passkey-sign-in.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from './second-factor/passkeys.ts'
import { countRecoveryCodes, renewRecoveryCodes } from './second-factor/recovery-codes.ts'
import { beginTotp, confirmTotp, switchTotpOff } from './second-factor/authenticator-app.ts'
import { COOKIE_SECONDS, type SessionOrigin } from './sessions.ts'
import {
  confirmByPassword,
  readIdentityProof,
  requireBrowser,
  requireConfirmedIdentity,
} from './second-factor/step-up.ts'

export function securityHandlers(deps: AccountsDeps): Handlers<typeof securityApi> {
  const { cookies } = deps
  return {
    'POST /api/passkey_requests': (_, { principal }) => askForPasskey(deps, principal),
    'POST /api/session/passkey': async ({ body }, context) => {
      const { user, token } = await signInByPasskey(deps, body, originOf(context))
      cookies.set(context.reply, token, COOKIE_SECONDS)
      return user
    },
    'GET /api/session/confirmation': (_, { db, principal }) => readIdentityProof(deps, db, principal),
    'POST /api/session/confirmation': ({ body }, { actor, principal }) =>
      confirmByPassword(deps, actor, principal, body),
    'POST /api/session/confirmation/passkey': ({ body }, { db, actor, principal }) =>
      confirmByPasskey(deps, db, actor, principal, body),

    'GET /api/user/passkeys': (_, { db, principal }) => listPasskeys(db, principal.userId),
    'POST /api/user/passkeys/requests': async (_, { db, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      return beginPasskey(deps, principal)
    },
    'POST /api/user/passkeys': async ({ body }, { db, actor, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      return addPasskey(deps, actor, principal, body)
    },
    'PATCH /api/user/passkeys/{id}': ({ params, body }, { db, actor, principal }) => {
      requireBrowser(principal)
      return renamePasskey(db, actor, principal.userId, { id: params.id, name: body.name })
    },
    'DELETE /api/user/passkeys/{id}': async ({ params }, { db, actor, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      await removePasskey(deps, db, actor, principal, params.id)
    },

    'POST /api/user/totp': async (_, { db, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      return beginTotp(deps, principal)
    },
    'PUT /api/user/totp': async ({ body }, { db, actor, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      return { recoveryCodes: await confirmTotp(deps, actor, principal, body.code) }
    },
    'DELETE /api/user/totp': async (_, { db, actor, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      await switchTotpOff(deps, actor, principal)
    },
    'GET /api/user/recovery_codes': async (_, { db, principal }) => ({
      left: await countRecoveryCodes(db, principal.userId),
    }),
    'POST /api/user/recovery_codes': async (_, { db, actor, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      return { recoveryCodes: await renewRecoveryCodes(deps, actor, principal) }
    },

    'GET /api/user/api_tokens': (_, { db, principal }) => listApiTokens(db, principal.userId),
    'POST /api/user/api_tokens': async ({ body }, { db, actor, principal }) => {
      await requireConfirmedIdentity(deps, db, principal)
      return inTransaction(db, (transaction) => createApiToken(deps, transaction, actor, principal, body))
    },
    'DELETE /api/user/api_tokens/{id}': ({ params }, { db, actor, principal }) =>
      revokeApiToken(db, actor, principal.userId, params.id),
  }
}

export const originOf = ({ actor, ip, userAgent, request }: Context): SessionOrigin => ({
  actor,
  ip,
  userAgent,
  replaces: request.sessionToken,
})
