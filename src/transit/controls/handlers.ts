/** The handlers of `contract/controls.ts`. */
import type { Handlers } from '../../platform/http/mount.ts'
import type { controlsApi } from '../contract/controls.ts'
import type { TransitDeps } from '../deps.ts'
import { viewConnection } from '../sessions/connection-view.ts'
import { setBfd } from './bfd.ts'
import { addBlackhole, ownBlackholes, removeBlackhole } from './blackholes.ts'
import { decideLimit, openLimitRequests, ownLimitRequests, requestLimit } from './limit-requests.ts'
import { clearLimit } from './limits.ts'
import { cancelPassword, planPassword, startPassword } from './password-change.ts'
import { beginDrain, endDrain, setShutdown } from './shutdown.ts'

export const controlHandlers = (deps: TransitDeps): Handlers<typeof controlsApi> => ({
  'PUT /api/transit_connection/shutdown': async ({ body }, { db, actor, principal }) => {
    await setShutdown(deps, db, actor, principal.accountId, { message: body.message ?? null })
    return viewConnection(deps, db, principal.accountId)
  },
  'DELETE /api/transit_connection/shutdown': async (_, { db, actor, principal }) => {
    await setShutdown(deps, db, actor, principal.accountId, null)
    return viewConnection(deps, db, principal.accountId)
  },
  'PUT /api/transit_connection/drain': async ({ body }, { db, actor, principal }) => {
    await beginDrain(deps, db, actor, principal.accountId, body.minutes)
    return viewConnection(deps, db, principal.accountId)
  },
  'DELETE /api/transit_connection/drain': async (_, { db, actor, principal }) => {
    await endDrain(deps, db, actor, principal.accountId)
    return viewConnection(deps, db, principal.accountId)
  },
  'PUT /api/transit_connection/password_change': async ({ body }, { db, actor, principal }) => {
    const at = body.at === undefined ? null : new Date(body.at)
    await planPassword(deps, db, actor, principal.accountId, { password: body.password, at })
    return viewConnection(deps, db, principal.accountId)
  },
  'POST /api/transit_connection/password_change/start': async (_, { db, actor, principal }) => {
    await startPassword(deps, db, actor, principal.accountId)
    return viewConnection(deps, db, principal.accountId)
  },
  'DELETE /api/transit_connection/password_change': async (_, { db, actor, principal }) => {
    await cancelPassword(deps, db, actor, principal.accountId)
    return viewConnection(deps, db, principal.accountId)
  },
  'POST /api/transit_connection/sessions/{family}/clear': async ({ params }, { db, actor, principal }) => {
    await clearLimit(deps, db, actor, principal.accountId, params.family)
    return viewConnection(deps, db, principal.accountId)
  },
  'PUT /api/transit_connection/sessions/{family}/bfd': async ({ params, body }, { db, actor, principal }) => {
    await setBfd(deps, db, actor, principal.accountId, { family: params.family, enabled: body.enabled })
    return viewConnection(deps, db, principal.accountId)
  },
  'GET /api/transit_connection/limit_requests': (_, { db, principal }) => ownLimitRequests(db, principal.accountId),
  'POST /api/transit_connection/limit_requests': async ({ body }, { db, actor, principal }) => {
    await requestLimit(deps, db, actor, principal.accountId, body)
    return ownLimitRequests(db, principal.accountId)
  },
  'GET /api/admin/limit_requests': (_, { db }) => openLimitRequests(db),
  'POST /api/admin/limit_requests/{id}/decide': async ({ params, body }, { db, actor, principal }) => {
    await decideLimit(deps, db, { actor, principal }, params.id, body)
    return openLimitRequests(db)
  },
  'GET /api/transit_blackholes': (_, { db, principal }) => ownBlackholes(db, principal.accountId),
  'POST /api/transit_blackholes': ({ body }, { db, actor, principal }) =>
    addBlackhole(deps, db, actor, principal.accountId, body),
  'DELETE /api/transit_blackholes/{id}': ({ params }, { db, actor, principal }) =>
    removeBlackhole(deps, db, actor, principal.accountId, params.id),
})
