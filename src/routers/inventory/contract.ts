/** The API of the inventory: sites, hypervisors, address pools, images. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { slug } from '../../kernel/slug.ts'
import { afterRow, byId, pageLimit, time } from '../../kernel/shapes.ts'
import { series, seriesQuery } from '../contract/metrics.ts'
import { hostAddress } from '../contract/router.ts'
import { ROUTER_STATES } from '../states.ts'

const name = z.string().trim().min(1, 'is required').max(80, 'is too long')
const reason = z.string().trim().min(1, 'is required').max(500, 'is too long')
const size = z.int().min(1, 'takes 1 or more').max(100_000_000, 'is too large')
/** MiB; null for the default, the larger of 1024 MiB and 5 percent. */
const memoryReserve = z.int().min(0, 'takes 0 or more').max(100_000_000, 'is too large').nullable()
const place = z.object({ id: z.int(), name: z.string() })
const userSummary = z.object({ id: z.int(), firstName: z.string(), lastName: z.string(), email: z.string() })
const amounts = z.object({ cpus: z.int(), memory: z.int(), disk: z.int() })

const site = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  /** When it stopped taking new orders. */
  closedAt: time.nullable(),
  hypervisors: z.int(),
  pools: z.int(),
  routers: z.int(),
})

const hypervisor = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  site: place,
  driver: z.enum(['libvirt', 'simulated']),
  /** False: no process drives it now. Commands for its routers wait. */
  leased: z.boolean(),
  /** The process that drives it, or did last; null before the first. */
  process: z.object({ name: z.string(), alive: z.boolean(), since: time, seenAt: time }).nullable(),
  /** Why another process that was started for it has to wait; null when none does. */
  waiting: z.string().nullable(),
  connected: z.boolean(),
  connectedAt: time.nullable(),
  fault: z.string().nullable(),
  /** Why its routers are not restricted to their own addresses at their ports; null where they are. */
  portRulesError: z.string().nullable(),
  drained: z.boolean(),
  drainedAt: time.nullable(),
  drainReason: z.string().nullable(),
  /** As last reported; null before the first report. */
  facts: z
    .object({ version: z.string(), acceleration: z.enum(['kvm', 'tcg', 'none']), address: z.string().nullable() })
    .nullable(),
  /** Its capacity: CPUs before overcommit, MiB, GiB. */
  size: amounts,
  cpuOvercommit: z.number(),
  /** MiB of its memory that are not for routers, and what staff set: null for the default. */
  memoryReserve: z.int(),
  memoryReserveSetting: z.int().nullable(),
  /** What its routers take, with the memory that QEMU needs for each. */
  sold: amounts,
  /** MiB of `sold.memory` that QEMU needs. */
  memoryOverhead: z.int(),
  routers: z.int(),
  usage: z.object({ cpu: z.number(), memory: z.number(), ipv4: z.number(), ipv6: z.number() }),
})

const drain = z.object({
  hypervisor,
  /**
   * How many routers it had when the drain began; null when it is not drained, or the drain began before that was
   * recorded.
   */
  began: z.int().nullable(),
  /** Those that are still there, at most 500. */
  routers: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      state: z.enum(ROUTER_STATES),
      size: amounts,
      user: userSummary,
      /** A hypervisor of the same site that has room for it. */
      target: place.nullable(),
      /** Why it has to stay, or what has to be done. */
      blocker: z.string(),
    }),
  ),
})

const pool = z.object({
  id: z.int(),
  site: place,
  prefix4: z.string(),
  gateway4: z.string(),
  prefix6: z.string(),
  gateway6: z.string(),
  /** How many routers fit: each takes one address of both families. */
  capacity: z.int(),
  used: z.int(),
  closedAt: time.nullable(),
})

const poolAddresses = z.object({
  addresses: z.array(
    z.object({
      hostNumber: z.int(),
      addresses: z.array(hostAddress),
      router: z.object({ id: z.int(), name: z.string(), state: z.enum(ROUTER_STATES), createdAt: time }),
      user: userSummary,
    }),
  ),
  /** For `after`; null at the end. */
  next: z.int().nullable(),
})

const file = z.object({
  name: z.string(),
  digest: z.string().nullable(),
  bytes: z.int().nullable(),
  location: z.string().nullable(),
  version: z.string().nullable(),
  builtAt: time.nullable(),
})

const image = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** The name at the hypervisors. */
  source: z.string(),
  isDefault: z.boolean(),
  retiredAt: time.nullable(),
  routers: z.int(),
  /** The file at a hypervisor under that name; null when none has reported one. */
  file: file.nullable(),
  /**
   * Hypervisors that have reported their files and lack this one, so they get no routers of it; and those whose files
   * differ.
   */
  lackedBy: z.array(z.string()),
  differsAt: z.array(z.string()),
})

export const inventoryApi = defineApi({
  'GET /api/admin/sites': {
    summary: 'Sites with the number of their hypervisors, pools and routers',
    access: 'admin',
    ok: [200, z.array(site)],
  },
  'POST /api/admin/sites': {
    summary: 'Add a site',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({ slug, name }),
    ok: [201, site],
    errors: [409],
  },
  'PATCH /api/admin/sites/{id}': {
    summary: 'Rename a site, or close or open it for new orders',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({ name: name.optional(), closed: z.boolean().optional() }),
    ok: [200, site],
    errors: [409],
  },
  'GET /api/admin/hypervisors': {
    summary: 'Hypervisors with their allocated capacity, and agents without a hypervisor',
    access: 'admin',
    ok: [200, z.object({ hypervisors: z.array(hypervisor), unused: z.array(z.string()) })],
  },
  'GET /api/admin/hypervisors.csv': {
    summary: 'Hypervisors with their allocated capacity, as CSV',
    access: 'admin',
    ok: [200, null],
    file: 'text/csv; charset=utf-8',
  },
  'POST /api/admin/hypervisors': {
    summary: 'Add a hypervisor. The agent on its host can be enrolled before or after',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({
      slug,
      name: name.optional(),
      site: slug,
      cpus: size.max(4096),
      memory: size,
      disk: size,
      cpuOvercommit: z.number().min(1).max(16).multipleOf(0.01).optional(),
      memoryReserve: memoryReserve.optional(),
    }),
    ok: [201, hypervisor],
    errors: [409],
  },
  'PATCH /api/admin/hypervisors/{id}': {
    summary: 'Rename or resize a hypervisor, or start or end its drain. No new router is placed on a drained one',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({
      drained: z.boolean().optional(),
      /** Why it is drained. Staff read it. */
      reason: reason.optional(),
      name: name.optional(),
      cpus: size.max(4096).optional(),
      memory: size.optional(),
      disk: size.optional(),
      cpuOvercommit: z.number().min(1).max(16).multipleOf(0.01).optional(),
      memoryReserve: memoryReserve.optional(),
    }),
    ok: [200, hypervisor],
    errors: [409],
  },
  'DELETE /api/admin/hypervisors/{id}': {
    summary: 'Remove a drained hypervisor that has no routers',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'GET /api/admin/hypervisors/{id}/drain': {
    summary: 'Routers that remain on a hypervisor: where each can move, or why it cannot',
    access: 'admin',
    params: byId,
    ok: [200, drain],
  },
  'GET /api/admin/hypervisors/{id}/metrics': {
    summary: 'CPU and memory of a hypervisor as fractions, and the traffic of its routers, over time',
    access: 'admin',
    params: byId,
    query: seriesQuery,
    ok: [200, series],
  },
  'GET /api/admin/address_pools': {
    summary: 'Network segments with their address usage',
    access: 'admin',
    ok: [200, z.array(pool)],
  },
  'POST /api/admin/address_pools': {
    summary: 'Add a network segment to a site. It must not overlap another',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({
      site: slug,
      prefix4: z.string().max(50),
      gateway4: z.string().max(50),
      prefix6: z.string().max(50),
      gateway6: z.string().max(50),
    }),
    ok: [201, pool],
  },
  'PATCH /api/admin/address_pools/{id}': {
    summary: 'Close or reopen an address pool. A closed pool assigns no addresses',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({ closed: z.boolean() }),
    ok: [200, pool],
  },
  'GET /api/admin/address_pools/{id}/addresses': {
    summary: 'Address leases of a segment with their holders',
    access: 'admin',
    params: byId,
    query: z.strictObject({
      after: afterRow,
      limit: pageLimit,
    }),
    ok: [200, poolAddresses],
  },
  'GET /api/admin/images': {
    summary: 'Router images in catalogue order, and images of hypervisors that are not in the catalogue',
    access: 'admin',
    ok: [200, z.object({ images: z.array(image), unoffered: z.array(file) })],
  },
  'POST /api/admin/images': {
    summary: 'Add an image of the hypervisors to the catalogue',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({
      slug,
      name,
      description: z.string().trim().min(1, 'is required').max(300, 'is too long'),
      /** Its name there; the same as `slug` unless set. */
      source: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'takes the name of a folder of images')
        .optional(),
    }),
    ok: [201, image],
    errors: [409],
  },
  'PATCH /api/admin/images/{id}': {
    summary: 'Change the texts of an image, retire it, offer it again, or make it the default',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z.strictObject({
      name: name.optional(),
      description: z.string().trim().min(1, 'is required').max(300, 'is too long').optional(),
      retired: z.boolean().optional(),
      default: z.literal(true).optional(),
    }),
    ok: [200, image],
    errors: [409],
  },
})

export type InventoryApi = typeof inventoryApi
export type Site = z.output<typeof site>
export type InventoryHypervisor = z.output<typeof hypervisor>
export type HypervisorDrain = z.output<typeof drain>
export type AddressPool = z.output<typeof pool>
export type PoolAddresses = z.output<typeof poolAddresses>
export type InventoryImage = z.output<typeof image>
