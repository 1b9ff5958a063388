/** Planned maintenance: what staff announce, and what customers see of it. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, givenId, givenTime, time } from '../../kernel/shapes.ts'
import { MAINTENANCE_EFFECTS, MAINTENANCE_STATES } from '../maintenance/policy.ts'

const fields = {
  id: z.int(),
  /** A description of the work by the operator. */
  title: z.string(),
  effect: z.enum(MAINTENANCE_EFFECTS),
  state: z.enum(MAINTENANCE_STATES),
  startsAt: time,
  endsAt: time,
}

export const maintenanceWindow = z.object({
  ...fields,
  /** The customer's routers that it affects, each with its site. */
  routers: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      site: z.string(),
      /** The edge under maintenance that carries the BGP sessions of this router. */
      edge: z.string().nullable(),
      /** Whether the router carries the BGP sessions of the account. */
      sessions: z.boolean(),
    }),
  ),
})

const named = z.array(z.object({ id: z.int(), name: z.string() }))

export const adminMaintenanceWindow = z.object({
  ...fields,
  everywhere: z.boolean(),
  sites: named,
  hypervisors: named,
  edges: named,
  /** Email address of the member of staff; null once that account is deleted. */
  createdBy: z.string().nullable(),
  createdAt: time,
  cancelledAt: time.nullable(),
  cancelledReason: z.string().nullable(),
  /** When the last customer was notified of the latest change; null while some have not been. */
  announcedAt: time.nullable(),
  /** Customers who were notified of the latest change, and all who should be. */
  notified: z.int(),
  customers: z.int(),
})

const ids = z.array(givenId).max(1000, 'names too many').default([])
const scopeFields = {
  /** Affects all sites, hypervisors and edges. */
  everywhere: z.boolean().default(false),
  sites: ids,
  hypervisors: ids,
  edges: ids,
}
const scopeNamed = {
  check: ({ everywhere, sites, hypervisors, edges }: z.output<z.ZodObject<typeof scopeFields>>) =>
    everywhere !== sites.length + hypervisors.length + edges.length > 0,
  issue: { path: ['everywhere'], message: 'needs at least one site, hypervisor or edge, and excludes them' },
}
const title = z.string().trim().min(3, 'needs at least 3 characters').max(200, 'is too long')
const effect = z.enum(MAINTENANCE_EFFECTS)

export const maintenanceApi = defineApi({
  'GET /api/maintenance_windows': {
    summary: 'Upcoming and current maintenance that affects routers or BGP sessions of the account',
    access: 'session',
    ok: [200, z.array(maintenanceWindow)],
  },
  'GET /api/admin/maintenance_windows': {
    summary: 'Current and future maintenance windows, and the last 100 past ones',
    access: 'admin',
    ok: [200, z.array(adminMaintenanceWindow)],
  },
  'POST /api/admin/maintenance_windows/preview': {
    summary: 'Customers that maintenance with this scope would affect',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject(scopeFields).refine(scopeNamed.check, scopeNamed.issue),
    ok: [
      200,
      z.object({
        customers: z.int(),
        routers: z.int(),
        connections: z.int(),
        /** The first 100 customers by email address. */
        named: z.array(
          z.object({ id: z.int(), email: z.string(), routers: z.array(z.string()), transit: z.boolean() }),
        ),
      }),
    ],
  },
  'POST /api/admin/maintenance_windows': {
    summary: 'Announce maintenance. The affected customers get an email and see it in the portal',
    access: 'admin',
    requiredRole: 'network',
    body: z
      .strictObject({ title, effect, startsAt: givenTime, endsAt: givenTime, ...scopeFields })
      .refine(scopeNamed.check, scopeNamed.issue),
    ok: [201, adminMaintenanceWindow],
  },
  'PATCH /api/admin/maintenance_windows/{id}': {
    summary: 'Change a maintenance window, or cancel it with a reason. Customers who were notified are notified again',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z
      .strictObject({
        title: title.optional(),
        effect: effect.optional(),
        startsAt: givenTime.optional(),
        endsAt: givenTime.optional(),
        cancelled: z.literal(true).optional(),
        /** Visible to customers. */
        reason: z.string().trim().min(1, 'is required').max(500, 'is too long').optional(),
      })
      .refine(({ cancelled, reason }) => cancelled === undefined || reason !== undefined, {
        path: ['reason'],
        message: 'is required',
      }),
    ok: [200, adminMaintenanceWindow],
    errors: [409],
  },
})
