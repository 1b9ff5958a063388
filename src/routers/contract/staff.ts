/** Requests of staff about routers of all customers. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, pageLimit, rowId, time } from '../../kernel/shapes.ts'
import { ROUTER_SORTS, ROUTER_STATES, DESIRED_STATES, STAFF_POWER_ACTIONS } from '../states.ts'
import { reason } from './reason.ts'
import { detailFields, hostAddress, name } from './router.ts'

export const adminRouter = z.object({
  ...detailFields,
  user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string() }),
  hypervisor: z.object({
    id: z.int(),
    name: z.string(),
    driver: z.enum(['libvirt', 'simulated']),
    connected: z.boolean(),
  }),
  /** Newest first, at most 50. */
  events: z.array(
    z.object({
      id: z.int(),
      at: time,
      action: z.string(),
      by: z.enum(['user', 'staff', 'system']),
      actorId: z.int().nullable(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  desiredState: z.enum(DESIRED_STATES),
  observed: z.string(),
  /** The hypervisor's own message. */
  failureDetail: z.string().nullable(),
  /** How many steps failed, or crashes happened, in a row. */
  attempts: z.int(),
  /** When it is tried again; null while nothing is to be retried. */
  retryAt: time.nullable(),
})

/** Each field narrows the list. */
export const routerFilter = z.strictObject({
  state: z.enum(ROUTER_STATES, `takes one of ${ROUTER_STATES.join(', ')}`).optional(),
  site: rowId.optional(),
  hypervisor: rowId.optional(),
  /** An address or a prefix, the beginning of a UUID, or parts of the name. */
  search: z.string().trim().max(100).optional(),
})

const place = z.object({ id: z.int(), name: z.string() })

export const listedRouter = z.object({
  id: z.int(),
  uuid: z.uuid(),
  name: z.string(),
  state: z.enum(ROUTER_STATES),
  stateKnown: z.boolean(),
  failure: z.string().nullable(),
  cpus: z.int(),
  memory: z.int(),
  diskSize: z.int(),
  /** Empty once a deleted router has released them. */
  addresses: z.array(hostAddress),
  createdAt: time,
  /** It is deleted, and can be restored until then. */
  purgeAt: time.nullable(),
  user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string() }),
  hypervisor: place,
  site: place,
})

const bitRates = z.array(z.int().nullable())

export const staffApi = defineApi({
  'GET /api/admin/traffic': {
    summary: 'Traffic of all routers together in the last 24 hours, in steps of five minutes',
    access: 'admin',
    ok: [
      200,
      z.object({
        from: time,
        to: time,
        /** The end of each step. */
        times: z.array(time),
        /** Bit/s on average over the step, at the ports of the routers; null where nothing was measured. */
        rx: bitRates,
        tx: bitRates,
        rxBytes: z.int(),
        txBytes: z.int(),
      }),
    ],
  },
  'GET /api/admin/virtual_machines': {
    summary: 'Routers of all customers, newest first by default. `before` is the last router of the previous page',
    access: 'admin',
    query: routerFilter.extend({ sort: z.enum(ROUTER_SORTS).optional(), before: rowId.optional(), limit: pageLimit }),
    ok: [200, z.object({ routers: z.array(listedRouter), next: z.int().nullable() })],
  },
  'GET /api/admin/virtual_machines.csv': {
    summary: 'Routers of all customers, as CSV',
    access: 'admin',
    query: routerFilter,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'GET /api/admin/virtual_machines/{id}': {
    summary: 'A router with its owner, hypervisor and history',
    access: 'admin',
    params: byId,
    ok: [200, adminRouter],
  },
  'POST /api/admin/virtual_machines/{id}/retry': {
    summary: 'Retry a failed step now. Does nothing if no step has failed',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    ok: [202, adminRouter],
  },
  'POST /api/admin/virtual_machines/{id}/actions': {
    summary: "Start, shut down, reboot, stop or reset a customer's router. The customer sees the reason",
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({
      action: z.enum(STAFF_POWER_ACTIONS, `takes one of ${STAFF_POWER_ACTIONS.join(', ')}`),
      reason,
    }),
    ok: [202, adminRouter],
    errors: [402, 409],
  },
  'PUT /api/admin/virtual_machines/{id}/deletion_protection': {
    summary: "Turn deletion protection of a customer's router on or off. The customer can turn it off too",
    access: 'admin',
    requiredRole: 'support',
    params: byId,
    body: z.strictObject({ protected: z.boolean(), reason }),
    ok: [200, adminRouter],
  },
  'POST /api/admin/virtual_machines/{id}/restore': {
    summary: 'Restore a router that its customer deleted',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({ name: name.optional() }),
    ok: [202, adminRouter],
    errors: [409],
  },
})
