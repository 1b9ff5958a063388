/** Requests of customers: the catalogue, and the life of a router. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { byId, time } from '../../kernel/shapes.ts'
import { POWER_ACTIONS } from '../states.ts'
import { series, seriesQuery } from './metrics.ts'
import { name, ownRouter, router, routerDetail } from './router.ts'

const slug = z.string().min(1, 'is required').max(60, 'is too long')

/** An RSA key of 16 384 bits, the longest line of `authorized_keys` in practice, is below 3 KiB. */
const SSH_KEY_MAX = 4096
const MAX_SSH_KEYS = 20

const consoleTicket = z.object({ url: z.string(), expiresAt: time })

export const customerApi = defineApi({
  'GET /api/catalogue': {
    summary: 'Sites, plans with prices in minor units, and images',
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
            /** The most that a calendar month costs. */
            monthlyPrice: z.int(),
            /** Charged once for each router, when it first answers. */
            setupPrice: z.int(),
          }),
        ),
        /** What each address of a router costs in addition. A family that is free is left out. */
        addresses: z.array(
          z.object({ family: z.union([z.literal(4), z.literal(6)]), hourlyPrice: z.int(), monthlyPrice: z.int() }),
        ),
        images: z.array(z.object({ slug: z.string(), name: z.string(), description: z.string() })),
        currency: z.string(),
      }),
    ],
  },
  'GET /api/virtual_machines': { summary: 'Routers of the account', access: 'verified', ok: [200, z.array(ownRouter)] },
  'POST /api/virtual_machines': {
    summary: 'Order a router. Without `sshKeys`, it gets the SSH keys of the account',
    access: 'verified',
    auditMessage: 'ordered a router for you',
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
    errors: [402, 409],
  },
  'GET /api/virtual_machines/{id}': {
    summary: 'A router of the account',
    access: 'verified',
    params: byId,
    ok: [200, routerDetail],
  },
  'PATCH /api/virtual_machines/{id}': {
    summary: 'Rename a router, change the plan of a stopped one, or turn its deletion protection on or off',
    access: 'verified',
    auditMessage: 'changed the name or the plan of one of your routers',
    params: byId,
    body: z.strictObject({ name: name.optional(), plan: slug.optional(), deleteProtected: z.boolean().optional() }),
    ok: [200, router],
    errors: [402, 409],
  },
  'DELETE /api/virtual_machines/{id}': {
    summary: 'Delete a router with its disk and addresses. Where `purgeAt` is set, it can be restored until then',
    access: 'verified',
    auditMessage: 'deleted one of your routers',
    params: byId,
    ok: [202, router],
    errors: [409],
  },
  'POST /api/virtual_machines/{id}/restore': {
    summary: 'Restore a deleted router. `name` renames it if another router has taken its name',
    access: 'verified',
    auditMessage: 'restored one of your routers',
    params: byId,
    body: z.strictObject({ name: name.optional() }),
    ok: [202, router],
    errors: [402, 409],
  },
  'POST /api/virtual_machines/{id}/actions': {
    summary: 'Start, shut down, reboot, stop, reset or reinstall a router',
    access: 'verified',
    auditMessage: 'gave one of your routers a command',
    params: byId,
    body: z.strictObject({ action: z.enum(POWER_ACTIONS, `takes one of ${POWER_ACTIONS.join(', ')}`) }),
    ok: [202, router],
    errors: [402, 409],
  },
  'GET /api/virtual_machines/{id}/metrics': {
    summary: 'CPU, memory and traffic of a router over time',
    access: 'verified',
    params: byId,
    query: seriesQuery,
    ok: [200, series],
  },
  'POST /api/virtual_machines/{id}/display': {
    summary: 'A one-time WebSocket address of the graphical console (RFB, RFC 6143)',
    access: 'verified',
    impersonation: 'never',
    params: byId,
    ok: [201, consoleTicket],
    errors: [409],
  },
  'POST /api/virtual_machines/{id}/serial': {
    summary: 'A one-time WebSocket address of the serial console (bytes)',
    access: 'verified',
    impersonation: 'never',
    params: byId,
    ok: [201, consoleTicket],
    errors: [409],
  },
})
