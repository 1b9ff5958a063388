/** Handlers of the endpoints about staff and impersonation. */
import type { Handlers } from '../../platform/http/mount.ts'
import { endImpersonation, elevateImpersonation, startImpersonation } from '../impersonation/impersonation.ts'
import type { impersonationApi } from '../contract/impersonation.ts'
import type { staffApi } from '../contract/staff.ts'
import type { AccountsDeps } from '../deps.ts'
import { grantStaff, changeRoles, revokeStaff, listStaff } from './staff.ts'
import { requireConfirmedIdentity } from '../second-factor/step-up.ts'

export const impersonationHandlers = (deps: AccountsDeps): Handlers<typeof impersonationApi> => ({
  'POST /api/admin/users/{id}/impersonation': ({ params, body }, context) =>
    startImpersonation(deps, context.db, context, { userId: params.id, reason: body.reason }),
  'POST /api/impersonation/elevate': ({ body }, context) =>
    elevateImpersonation(deps, context.db, context, body.reason),
  'DELETE /api/impersonation': (_, context) => endImpersonation(deps, context.db, context),
})

export const staffHandlers = (deps: AccountsDeps): Handlers<typeof staffApi> => ({
  'GET /api/admin/staff': async (_, { db }) => ({
    staff: await listStaff(db),
    secondFactorRequired: deps.staffSecondFactor,
  }),
  'POST /api/admin/staff': async ({ body }, { db, actor, principal }) => {
    await requireConfirmedIdentity(deps, db, principal)
    return grantStaff(deps, db, actor, body)
  },
  'PUT /api/admin/staff/{id}': async ({ params, body }, { db, actor, principal }) => {
    await requireConfirmedIdentity(deps, db, principal)
    return changeRoles(db, actor, { id: params.id, roles: body.roles })
  },
  'DELETE /api/admin/staff/{id}': async ({ params }, { db, actor, principal }) => {
    await requireConfirmedIdentity(deps, db, principal)
    await revokeStaff(deps, db, actor, params.id)
  },
})
