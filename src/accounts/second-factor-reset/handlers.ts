/** Handlers of `contract/second-factor-reset.ts`. */
import type { Handlers } from '../../platform/http/mount.ts'
import type { secondFactorResetApi } from '../contract/second-factor-reset.ts'
import type { AccountsDeps } from '../deps.ts'
import { approveReset, cancelReset, listResets, requestReset, stopReset, stopResetByLink } from './reset.ts'

export const secondFactorResetHandlers = (deps: AccountsDeps): Handlers<typeof secondFactorResetApi> => ({
  'GET /api/admin/users/{id}/second_factor_resets': ({ params }, { db, principal }) =>
    listResets(deps, db, principal, params.id),
  'POST /api/admin/users/{id}/second_factor_resets': async ({ params, body }, { db, actor, principal }) => {
    await requestReset(deps, db, { actor, principal }, params.id, body)
    return listResets(deps, db, principal, params.id)
  },
  'POST /api/admin/users/{id}/second_factor_resets/{resetId}/approve': async ({ params }, { db, actor, principal }) => {
    await approveReset(deps, db, { actor, principal }, params.id, params.resetId)
    return listResets(deps, db, principal, params.id)
  },
  'POST /api/admin/users/{id}/second_factor_resets/{resetId}/cancel': async (
    { params, body },
    { db, actor, principal },
  ) => {
    await cancelReset(deps, db, { actor, principal }, params.id, { resetId: params.resetId, reason: body.reason })
    return listResets(deps, db, principal, params.id)
  },
  'POST /api/user/second_factor_reset/stop': (_, { db, actor, principal }) => stopReset(deps, db, { actor, principal }),
  'POST /api/verify/second_factor_reset': ({ body }, { actor }) => stopResetByLink(deps, actor, body.token),
})
