import { inTransaction } from '../../platform/db/index.ts'
import type { Handlers } from '../../platform/http/mount.ts'
import type { agentsApi } from '../contract/agents.ts'
import type { AccountsDeps } from '../deps.ts'
import { requireConfirmedIdentity } from '../second-factor/step-up.ts'
import { listAgents, revokeAgent } from './agents.ts'
import { createEnrolmentToken } from './enrolment.ts'

export const agentHandlers = (deps: AccountsDeps): Handlers<typeof agentsApi> => ({
  'GET /api/admin/agents': ({ query }, { db }) => listAgents(db, query),
  'POST /api/admin/agents/tokens': async ({ body }, { db, actor, principal }) => {
    await requireConfirmedIdentity(deps, db, principal)
    return inTransaction(db, (transaction) => createEnrolmentToken(deps, transaction, actor, body))
  },
  'DELETE /api/admin/agents/{id}': ({ params }, { db, actor }) => revokeAgent(db, actor, params.id, deps.clock.now()),
})
