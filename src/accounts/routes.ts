/** The routes of accounts, each with its rate limit and its handler. */
import type { FastifyInstance } from 'fastify'
import { invalid } from '../kernel/problem.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import { mount } from '../platform/http/mount.ts'
import type { Principal } from '../platform/http/principal.ts'
import { endImpersonation, readImpersonation } from './impersonation/impersonation.ts'
import { agentHandlers } from './agents/handlers.ts'
import { asnHandlers } from './asn/handlers.ts'
import { closeAccount, findClosingBlockers } from './closing.ts'
import { impersonationApi } from './contract/impersonation.ts'
import { agentsApi } from './contract/agents.ts'
import { asnApi } from './contract/asn.ts'
import { secondFactorResetApi } from './contract/second-factor-reset.ts'
import { securityApi } from './contract/security.ts'
import { staffApi } from './contract/staff.ts'
import { supportApi } from './contract/support.ts'
import { profileApi } from './contract.ts'
import type { AccountsDeps } from './deps.ts'
import { confirmEmailChange, requestEmailChange } from './emails/email-change.ts'
import { changeMailPreferences, readMailPreferences } from './emails/mail-preferences.ts'
import { validateLink } from './emails/mail-tokens.ts'
import { requestPasswordReset, resetPassword, writePassword } from './sign-in/password-reset.ts'
import { secondFactorResetHandlers } from './second-factor-reset/handlers.ts'
import { originOf, securityHandlers } from './security-handlers.ts'
import { COOKIE_SECONDS, endOtherSessions, endSession, listSessions, startSession } from './sessions.ts'
import { signIn } from './sign-in/sign-in.ts'
import { validateSignUp, signUp, verifyEmail } from './sign-in/sign-up.ts'
import { addSshKey, listSshKeys, removeSshKey } from './ssh-keys.ts'
import { impersonationHandlers, staffHandlers } from './staff/handlers.ts'
import { supportHandlers } from './support/handlers.ts'
import { requireBrowser, requireConfirmedIdentity, staffOrUser } from './second-factor/step-up.ts'
import { readAuditLog } from './audit-log.ts'
import { changeNames, foldEmail, readCurrentUser } from './users.ts'

export function accountsRoutes(app: FastifyInstance, deps: AccountsDeps): void {
  const { cookies, clock } = deps
  const on = { db: deps.db, area: 'account' } as const
  const describeUser = async (db: Db, { userId, impersonation }: Principal) => ({
    ...(await readCurrentUser(db, userId, deps)),
    impersonation: impersonation ? await readImpersonation(db, impersonation.id) : null,
  })

  mount(
    app,
    profileApi,
    {
      'POST /api/users': ({ body }, context) => signUp(deps, context.db, context, body),
      'POST /api/verify/email': async ({ body }, context) => {
        const { userId, redirect } = await verifyEmail(deps, context.db, context.actor, body)
        const token = await startSession(deps, context.db, userId, originOf(context), clock.now())
        context.afterCommit(async () => cookies.set(context.reply, token, COOKIE_SECONDS))
        return { ...(await readCurrentUser(context.db, userId, deps)), redirect }
      },

      'POST /api/session': async ({ body }, context) => {
        const { user, token } = await signIn(deps, body, originOf(context))
        cookies.set(context.reply, token, COOKIE_SECONDS)
        return user
      },
      'DELETE /api/session': async (_, context) => {
        const { db, actor, principal } = context
        const { userId, sessionId } = staffOrUser(principal)
        if (sessionId === null) return
        if (principal.impersonation) await endImpersonation(deps, db, context)
        await endSession(db, { ...actor, kind: 'user' }, userId, sessionId)
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
        await requireConfirmedIdentity(deps, db, principal)
        await inTransaction(db, (transaction) =>
          writePassword(deps, transaction, actor, principal.userId, body.password, {
            session: principal.sessionId,
            apiTokens: body.keepApiTokens ?? false,
          }),
        )
      },

      'GET /api/user': (_, { db, principal }) => describeUser(db, principal),
      'PATCH /api/user': async ({ body }, { db, actor, principal }) => {
        await changeNames(db, actor, principal.userId, body)
        return describeUser(db, principal)
      },

      'POST /api/user/email': async ({ body }, { db, actor, principal }) => {
        await requireConfirmedIdentity(deps, db, principal)
        await requestEmailChange(deps, db, actor, principal, body.email)
      },
      'POST /api/verify/email_change': ({ body }, { db, actor }) => confirmEmailChange(deps, db, actor, body.token),
      'GET /api/user/close': async (_, { db, principal }) => ({
        blockers: await findClosingBlockers(deps, db, principal),
      }),
      'POST /api/user/close': async ({ body }, context) => {
        const { db, actor, principal, reply } = context
        await requireConfirmedIdentity(deps, db, principal)
        if (foldEmail(body.email) !== principal.email) {
          throw invalid([{ field: 'email', message: 'is not the address of your account' }])
        }
        await closeAccount(deps, db, actor, principal)
        context.afterCommit(async () => cookies.clear(reply))
      },

      'GET /api/user/mail_preferences': (_, { db, principal }) => readMailPreferences(db, principal.userId),
      'PATCH /api/user/mail_preferences': ({ body }, { db, actor, principal }) =>
        changeMailPreferences(db, actor, principal.userId, body),

      'GET /api/user/ssh_keys': (_, { db, principal }) => listSshKeys(db, principal.accountId),
      'POST /api/user/ssh_keys': ({ body }, { db, actor, principal }) =>
        addSshKey(db, actor, principal.accountId, body),
      'DELETE /api/user/ssh_keys/{id}': ({ params }, { db, actor, principal }) =>
        removeSshKey(db, actor, principal.accountId, params.id),

      'GET /api/audit_events': ({ query }, { db, principal }) => readAuditLog(db, principal.accountId, query),
    },
    {
      ...on,
      issueChecks: {
        'POST /api/users': async (validFields) => validateSignUp(validFields),
        'POST /api/verify/email': ({ token }, { db }) => validateLink(db, 'verify_email', token, clock.now()),
        'POST /api/password': ({ token }, { db }) => validateLink(db, 'reset_password', token, clock.now()),
      },
    },
  )
  mount(app, securityApi, securityHandlers(deps), on)
  mount(app, asnApi, asnHandlers(deps), on)
  mount(app, impersonationApi, impersonationHandlers(deps), on)
  mount(app, staffApi, staffHandlers(deps), on)
  mount(app, supportApi, supportHandlers(deps), on)
  mount(app, secondFactorResetApi, secondFactorResetHandlers(deps), on)
  mount(app, agentsApi, agentHandlers(deps), on)
}
