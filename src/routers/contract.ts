/** The border of routers: what is for sale, and the life of a router. Imported by the browser as types alone. */
import { z } from 'zod'
import { defineApi, type Answer } from '../kernel/endpoint.ts'
import { byId, rowId, time } from '../kernel/shapes.ts'
import { CREATION_STEPS, POWER_ACTIONS, ROUTER_ACTIONS, ROUTER_STATES, WISHES } from './states.ts'

const slug = z.string().min(1, 'is required').max(60, 'is too long')
const asn = z.int().min(0).max(4294967295)

/** The longest line of `authorized_keys` that anybody needs is an RSA key of 16 384 bits, below 3 KiB. */
const SSH_KEY_MAX = 4096
export const MAX_SSH_KEYS = 20

/** RFC 1123 section 2.1: it becomes the host name of the router. */
const name = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i,
    'takes 1 to 63 letters, digits and hyphens, and neither begins nor ends with a hyphen',
  )

const address = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  address: z.string(),
  prefixLength: z.int(),
  gateway: z.string(),
})

const routerFields = {
  id: z.int(),
  uuid: z.uuid(),
  name: z.string(),
  state: z.enum(ROUTER_STATES),
  /** False while its hypervisor cannot be asked: the state is then the last one seen. */
  stateKnown: z.boolean(),
  observedAt: time.nullable(),
  /** Why it is FAILED, in words for its owner. */
  failure: z.string().nullable(),
  cpus: z.int(),
  /** MiB */
  memory: z.int(),
  /** GiB */
  diskSize: z.int(),
  /** Slugs of the catalogue. */
  image: z.string(),
  plan: z.string(),
  site: z.string(),
  /** The same for people; also of what the catalogue no longer sells. */
  labels: z.object({ image: z.string(), plan: z.string(), site: z.string() }),
  mac: z.string(),
  addresses: z.array(address),
  createdAt: time,
  /** Until then a deletion can be taken back; null when nothing is deleted, and once the removal has begun. */
  goneAt: time.nullable(),
  /** The way of CREATING and REINSTALLING, in order; null is yet to come. */
  steps: z.array(z.object({ name: z.enum(CREATION_STEPS), at: time.nullable() })),
  allowedActions: z.array(z.enum(ROUTER_ACTIONS)),
}
const router = z.object(routerFields)

const metricsPoint = z.object({
  at: time,
  /** Fraction of all its CPUs, 0 to 1. */
  cpu: z.number().nullable(),
  /** Bytes in use. */
  memory: z.number().nullable(),
  /** bit/s that the router received and sent. */
  rx: z.number().nullable(),
  tx: z.number().nullable(),
})

const routerSession = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  localAsn: asn,
  localAddress: z.string(),
  peerAsn: asn,
  peerAddress: z.string(),
  state: z.string(),
  since: time.nullable(),
  received: z.int(),
  accepted: z.int(),
  exported: z.int(),
  lastError: z.string().nullable(),
})

const detailFields = {
  ...routerFields,
  /** BGP sessions that run on this router. */
  sessions: z.array(routerSession),
  /** The newest sample; null before the first. */
  metrics: metricsPoint.nullable(),
  /** Whether the guest runs the routing configuration that is wanted, and what it said when it refused it. */
  configuration: z.object({ current: z.boolean(), appliedAt: time.nullable(), error: z.string().nullable() }),
  /** What was changed takes effect with the next start. */
  needsRestart: z.boolean(),
  /** For how many seconds a deletion could be taken back; 0: it cannot. */
  deletionGrace: z.int(),
}
const routerDetail = z.object(detailFields)

const adminRouter = z.object({
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
  wish: z.enum(WISHES),
  observed: z.string(),
  /** In the words of the hypervisor. */
  failureDetail: z.string().nullable(),
})

const series = z.object({
  from: time,
  to: time,
  /** Seconds between two points. */
  step: z.int(),
  /** The end of each step; every series has one value for each, null where nothing was measured. */
  times: z.array(time),
  cpu: z.array(z.number().nullable()),
  memory: z.array(z.number().nullable()),
  rx: z.array(z.number().nullable()),
  tx: z.array(z.number().nullable()),
})

/** Each narrows. */
export const routerFilter = z.strictObject({
  state: z.enum(ROUTER_STATES, `takes one of ${ROUTER_STATES.join(', ')}`).optional(),
  site: rowId.optional(),
  hypervisor: rowId.optional(),
  /** An address or a prefix, the beginning of a UUID, or parts of the name. */
  search: z.string().trim().max(100).optional(),
})

const place = z.object({ id: z.int(), name: z.string() })

const listedRouter = z.object({
  id: z.int(),
  uuid: z.uuid(),
  name: z.string(),
  state: z.enum(ROUTER_STATES),
  stateKnown: z.boolean(),
  failure: z.string().nullable(),
  cpus: z.int(),
  memory: z.int(),
  diskSize: z.int(),
  address4: z.string().nullable(),
  address6: z.string().nullable(),
  createdAt: time,
  /** Deleted, and restorable until then. */
  goneAt: time.nullable(),
  user: z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string() }),
  hypervisor: place,
  site: place,
})

const consoleTicket = z.object({ url: z.string(), expiresAt: time })

export const routersApi = defineApi({
  'GET /api/catalogue': {
    summary: 'What is for sale: sites, plans with prices in minor units, images',
    access: 'session',
    ok: [
      200,
      z.object({
        sites: z.array(z.object({ slug: z.string(), name: z.string(), available: z.boolean() })),
        plans: z.array(
          z.object({
            slug: z.string(),
            name: z.string(),
            cpus: z.int(),
            memory: z.int(),
            diskSize: z.int(),
            hourlyPrice: z.int(),
            /** A calendar month never costs more. */
            monthlyPrice: z.int(),
            /** Charged once for each router, when it first answers. */
            setupPrice: z.int(),
          }),
        ),
        /** What each address of a router costs besides; a family that costs nothing is left out. */
        addresses: z.array(
          z.object({ family: z.union([z.literal(4), z.literal(6)]), hourlyPrice: z.int(), monthlyPrice: z.int() }),
        ),
        images: z.array(z.object({ slug: z.string(), name: z.string(), description: z.string() })),
        currency: z.string(),
      }),
    ],
  },
  'GET /api/virtual_machines': { summary: 'Own routers', access: 'verified', ok: [200, z.array(router)] },
  'POST /api/virtual_machines': {
    summary: 'Order a router. Without sshKeys those of the account are let in',
    access: 'verified',
    body: z.strictObject({
      name,
      site: slug,
      plan: slug,
      image: slug,
      sshKeys: z
        .array(z.string().trim().max(SSH_KEY_MAX, 'is too long'))
        .max(MAX_SSH_KEYS, `takes at most ${MAX_SSH_KEYS} keys`)
        .optional(),
    }),
    ok: [202, router],
    refuses: [402, 409],
  },
  'GET /api/virtual_machines/{id}': {
    summary: 'One own router',
    access: 'verified',
    params: byId,
    ok: [200, routerDetail],
  },
  'PATCH /api/virtual_machines/{id}': {
    summary: 'Rename a router, or change the plan of a stopped one',
    access: 'verified',
    params: byId,
    body: z.strictObject({ name: name.optional(), plan: slug.optional() }),
    ok: [200, router],
    refuses: [402, 409],
  },
  'DELETE /api/virtual_machines/{id}': {
    summary: 'Delete a router with its disk and addresses; until `goneAt`, if that is set, it can be restored',
    access: 'verified',
    params: byId,
    ok: [202, router],
    refuses: [409],
  },
  'POST /api/virtual_machines/{id}/restore': {
    summary: 'Take a deletion back. One that is not deleted stays as it is. `name`: when its own is taken by now',
    access: 'verified',
    params: byId,
    body: z.strictObject({ name: name.optional() }),
    ok: [202, router],
    refuses: [402, 409],
  },
  'POST /api/virtual_machines/{id}/actions': {
    summary: 'Start, shut down, reboot, stop, reset or reinstall a router',
    access: 'verified',
    params: byId,
    body: z.strictObject({ action: z.enum(POWER_ACTIONS, `takes one of ${POWER_ACTIONS.join(', ')}`) }),
    ok: [202, router],
    refuses: [402, 409],
  },
  'GET /api/virtual_machines/{id}/metrics': {
    summary: 'CPU, memory and traffic of a router over time',
    access: 'verified',
    params: byId,
    query: z.object({
      /** Default one hour before `to`. */
      from: time.optional(),
      /** Default now. */
      to: time.optional(),
      /** Seconds; default and least what keeps the answer below 1000 points. */
      step: z.coerce.number().int().min(10, 'takes at least 10 seconds').max(86_400, 'takes at most a day').optional(),
    }),
    ok: [200, series],
  },
  'POST /api/virtual_machines/{id}/display': {
    summary: 'A one-time WebSocket address of the graphical console (RFB, RFC 6143)',
    access: 'verified',
    acting: 'never',
    params: byId,
    ok: [201, consoleTicket],
    refuses: [409],
  },
  'POST /api/virtual_machines/{id}/serial': {
    summary: 'A one-time WebSocket address of the serial console (bytes)',
    access: 'verified',
    acting: 'never',
    params: byId,
    ok: [201, consoleTicket],
    refuses: [409],
  },
  'GET /api/admin/virtual_machines': {
    summary: 'Routers of all customers, newest first',
    access: 'admin',
    query: routerFilter.extend({ before: rowId.optional(), limit: rowId.pipe(z.number().max(200)).default(50) }),
    ok: [200, z.object({ routers: z.array(listedRouter), next: z.int().nullable() })],
  },
  'GET /api/admin/virtual_machines.csv': {
    summary: 'The same, all of them, as CSV',
    access: 'admin',
    query: routerFilter,
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'GET /api/admin/virtual_machines/{id}': {
    summary: 'One router with its owner, its hypervisor and what happened to it',
    access: 'admin',
    params: byId,
    ok: [200, adminRouter],
  },
  'POST /api/admin/virtual_machines/{id}/restore': {
    summary: "Take a customer's deletion back for them",
    access: 'admin',
    duty: 'network',
    params: byId,
    body: z.strictObject({ name: name.optional() }),
    ok: [202, adminRouter],
    refuses: [409],
  },
})

export type RoutersApi = typeof routersApi
export type Catalogue = Answer<RoutersApi['GET /api/catalogue']>
export type Router = z.output<typeof router>
export type RouterDetail = z.output<typeof routerDetail>
export type AdminRouter = z.output<typeof adminRouter>
export type RouterFilter = z.output<typeof routerFilter>
export type ListedRouter = z.output<typeof listedRouter>
export type RouterSession = z.output<typeof routerSession>
export type MetricsPoint = z.output<typeof metricsPoint>
export type MetricsSeries = z.output<typeof series>
