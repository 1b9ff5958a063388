/** Requests about several routers at once. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { givenId } from '../../kernel/shapes.ts'
import { BULK_OUTCOMES, BULK_POWER_ACTIONS, MAX_BULK_ROUTERS, ROUTER_STATES } from '../states.ts'
import { reason } from './reason.ts'

const several = {
  action: z.enum(BULK_POWER_ACTIONS, `takes one of ${BULK_POWER_ACTIONS.join(', ')}`),
  ids: z
    .array(givenId)
    .min(1, 'takes at least one router')
    .max(MAX_BULK_ROUTERS, `takes at most ${MAX_BULK_ROUTERS} routers at a time`),
}

const outcome = z.object({
  /** Null, like all that follows from it, when there is no such router. */
  id: z.int().nullable(),
  name: z.string().nullable(),
  /** After the request. */
  state: z.enum(ROUTER_STATES).nullable(),
  /** `UNCHANGED`: it is already in the state that the action leads to, or on its way there. */
  outcome: z.enum(BULK_OUTCOMES),
  /** Why it was rejected. */
  code: z.string().nullable(),
  detail: z.string().nullable(),
})
/** In the order of the ids. */
const outcomes = z.array(outcome)

export const bulkApi = defineApi({
  'POST /api/virtual_machines/actions': {
    summary: 'Start, shut down or reboot several routers. Each is accepted or rejected on its own',
    access: 'verified',
    auditMessage: 'gave several of your routers a command',
    body: z.strictObject(several),
    ok: [200, outcomes],
  },
  'POST /api/admin/virtual_machines/actions': {
    summary:
      'Start, shut down or reboot several routers of customers, who see the reason. Each is accepted or rejected on its own',
    access: 'admin',
    requiredRole: 'support',
    body: z.strictObject({ ...several, reason }),
    ok: [200, outcomes],
  },
})
