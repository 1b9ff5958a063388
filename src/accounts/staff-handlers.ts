/** Answers to the calls about staff, and of staff who act for a customer. */
import type { Handlers } from '../platform/http/mount.ts'
import { endActing, raiseActing, startActing } from './acting.ts'
import type { actingApi } from './contract-acting.ts'
import type { staffApi } from './contract-staff.ts'
import type { AccountsDeps } from './deps.ts'
import { appoint, changeRoles, dismiss, listStaff } from './staff.ts'
import { requireRecentProof } from './step-up.ts'

export const actingHandlers = (deps: AccountsDeps): Handlers<typeof actingApi> => ({
  'POST /api/admin/users/{id}/acting': ({ params, body }, context) =>
    startActing(deps, context.db, context, { userId: params.id, reason: body.reason }),
  'POST /api/acting/raise': ({ body }, context) => raiseActing(deps, context.db, context, body.reason),
  'DELETE /api/acting': (_, context) => endActing(deps, context.db, context),
})

export const staffHandlers = (deps: AccountsDeps): Handlers<typeof staffApi> => ({
  'GET /api/admin/staff': async (_, { db }) => ({
    staff: await listStaff(db),
    secondFactorRequired: deps.staffSecondFactor,
  }),
  'POST /api/admin/staff': async ({ body }, { db, actor, principal }) => {
    await requireRecentProof(deps, db, principal)
    return appoint(deps, db, actor, body)
  },
  'PUT /api/admin/staff/{id}': async ({ params, body }, { db, actor, principal }) => {
    await requireRecentProof(deps, db, principal)
    return changeRoles(db, actor, { id: params.id, roles: body.roles })
  },
  'DELETE /api/admin/staff/{id}': async ({ params }, { db, actor, principal }) => {
    await requireRecentProof(deps, db, principal)
    await dismiss(deps, db, actor, params.id)
  },
})
