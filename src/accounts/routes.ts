/** The border of accounts, bound to what it does: limit, act, answer. */
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../platform/db/index.ts'
import { mount, type Context } from '../platform/http/mount.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts'
import { draftAsnVerification, sendAsnVerificationTo, verifyAsn } from './asn-verification.ts'
import { closeAccount } from './closing.ts'
import { accountsApi } from './contract.ts'
import type { AccountsDeps } from './deps.ts'
import { confirmEmailChange, requestEmailChange } from './email-change.ts'
import { requestPasswordReset, resetPassword, writePassword } from './password-reset.ts'
import { createAutnumLookup } from './registry-lookup.ts'
import { beginTotp, confirmTotp, switchTotpOff } from './second-factor.ts'
import {
  COOKIE_SECONDS,
  endOtherSessions,
  endSession,
  listSessions,
  startSession,
  type SessionOrigin,
} from './sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp, verifyEmail } from './sign-up.ts'
import { addSshKey, listSshKeys, removeSshKey } from './ssh-keys.ts'
import { confirmPassword, requireBrowser } from './step-up.ts'
import { readTrail } from './trail.ts'
import { changeNames, readCurrentUser } from './users.ts'

export function accountsRoutes(app: FastifyInstance, deps: AccountsDeps): void {
  const { cookies, clock } = deps
  const lookUp = createAutnumLookup(deps)

  mount(
    app,
    accountsApi,
    {
      'POST /api/users': ({ body }, context) => signUp(deps, context.db, context, body),
      'POST /api/verify/email': async ({ body }, context) => {
        const userId = await verifyEmail(deps, context.db, context.actor, body.token)
        const token = await startSession(context.db, userId, originOf(context), clock.now())
        context.afterCommit(async () => cookies.set(context.reply, token, COOKIE_SECONDS))
        return readCurrentUser(context.db, userId)
      },

      'POST /api/session': async ({ body }, context) => {
        const { user, token } = await signIn(deps, body, originOf(context))
        cookies.set(context.reply, token, COOKIE_SECONDS)
        return user
      },
      'DELETE /api/session': async (_, context) => {
        const { db, actor, principal } = context
        if (principal.sessionId === null) return
        await endSession(db, actor, principal.userId, principal.sessionId)
        context.afterCommit(async () => cookies.clear(context.reply))
      },
      'GET /api/sessions': (_, { db, principal }) => listSessions(db, principal, clock.now()),
      'DELETE /api/sessions': (_, { db, actor, principal }) => {
        requireBrowser(principal)
        return endOtherSessions(db, actor, principal.userId, principal.sessionId)
      },
      'DELETE /api/sessions/{id}': ({ params }, { db, actor, principal }) => {
        requireBrowser(principal)
        return endSession(db, actor, principal.userId, params.id)
      },

      'POST /api/password/reset': ({ body }, { db, ip }) => requestPasswordReset(deps, db, ip, body.email),
      'POST /api/password': ({ body }, { db, actor }) => resetPassword(deps, db, actor, body),
      'PUT /api/user/password': async ({ body }, { db, actor, principal }) => {
        await confirmPassword(deps, principal, body.currentPassword, 'currentPassword')
        await inTransaction(db, (transaction) =>
          writePassword(deps, transaction, actor, principal.userId, body.password, principal.sessionId),
        )
      },

      'GET /api/user': (_, { db, principal }) => readCurrentUser(db, principal.userId),
      'PATCH /api/user': async ({ body }, { db, actor, principal }) => {
        await changeNames(db, actor, principal.userId, body)
        return readCurrentUser(db, principal.userId)
      },

      'POST /api/user/email': async ({ body }, { db, actor, principal }) => {
        await confirmPassword(deps, principal, body.password, 'password')
        await inTransaction(db, (transaction) => requestEmailChange(deps, transaction, actor, principal, body.email))
      },
      'POST /api/verify/email_change': ({ body }, { db, actor }) => confirmEmailChange(deps, db, actor, body.token),
      'POST /api/user/close': async ({ body }, { db, actor, principal, reply }) => {
        await confirmPassword(deps, principal, body.password, 'password')
        await inTransaction(db, (transaction) => closeAccount(deps, transaction, actor, principal.userId))
        cookies.clear(reply)
      },

      'POST /api/user/totp': async ({ body }, { principal }) => {
        await confirmPassword(deps, principal, body.password, 'password')
        return beginTotp(deps, principal)
      },
      'PUT /api/user/totp': async ({ body }, { actor, principal }) => {
        requireBrowser(principal)
        return { recoveryCodes: await confirmTotp(deps, actor, principal, body.code) }
      },
      'DELETE /api/user/totp': async ({ body }, { actor, principal }) => {
        await confirmPassword(deps, principal, body.password, 'password')
        await switchTotpOff(deps, actor, principal)
      },

      'GET /api/user/ssh_keys': (_, { db, principal }) => listSshKeys(db, principal.userId),
      'POST /api/user/ssh_keys': ({ body }, { db, actor, principal }) => addSshKey(db, actor, principal.userId, body),
      'DELETE /api/user/ssh_keys/{id}': ({ params }, { db, actor, principal }) =>
        removeSshKey(db, actor, principal.userId, params.id),

      'GET /api/user/api_tokens': (_, { db, principal }) => listApiTokens(db, principal.userId),
      'POST /api/user/api_tokens': async ({ body }, { db, actor, principal }) => {
        await confirmPassword(deps, principal, body.password, 'password')
        return inTransaction(db, (transaction) =>
          createApiToken(transaction, actor, principal.userId, body, clock.now()),
        )
      },
      'DELETE /api/user/api_tokens/{id}': ({ params }, { db, actor, principal }) =>
        revokeApiToken(db, actor, principal.userId, params.id),

      'GET /api/audit_events': ({ query }, { db, principal }) => readTrail(db, principal.userId, query),

      'GET /api/admin/users/{id}/asn_verifications/new': ({ params }, { db }) =>
        draftAsnVerification(deps, db, lookUp, params.id),
      'POST /api/admin/users/{id}/asn_verifications': ({ params, body }, { db, actor }) =>
        sendAsnVerificationTo(deps, db, lookUp, { actor, userId: params.id, email: body.email }),
      'POST /api/verify/asn': ({ body }, { db, actor }) => verifyAsn(deps, db, actor, body.token),
    },
    { db: deps.db },
  )
}

const originOf = ({ actor, ip, userAgent, request }: Context): SessionOrigin => ({
  actor,
  ip,
  userAgent,
  replaces: request.sessionToken,
})
