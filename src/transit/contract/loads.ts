/** The staff endpoints for edge loads. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, byId, pageLimit, rowId, time } from '../../kernel/shapes.ts'
import { adminEdge } from './edges.ts'

const entry = z.object({ prefix: z.string(), origin: z.union([asn, z.literal('static')]) })
const byLoad = byId.extend({ load: rowId })
const reason = z.strictObject({ reason: z.string().trim().min(1, 'is required').max(500, 'is too long') })

/**
 * `WAITING`: it would drop more than is allowed without confirmation by staff. `SUPERSEDED`: the desired state changed
 * before it was loaded.
 */
export const edgeLoad = z.object({
  id: z.int(),
  at: time,
  state: z.enum(['WAITING', 'CONFIRMED', 'LOADING', 'LOADED', 'FAILED', 'SUPERSEDED']),
  generation: z.string(),
  previousGeneration: z.string().nullable(),
  counts: z.object({
    customersAdded: z.int(),
    customersRemoved: z.int(),
    prefixesAdded: z.int(),
    prefixesRemoved: z.int(),
  }),
  /** The first of the changes. Empty: only sessions or the policy changed. */
  changes: z.array(
    z.object({
      customer: z.object({ connection: z.int(), user: z.int().nullable(), name: z.string(), asn }),
      what: z.enum(['added', 'removed', 'enabled', 'disabled', 'changed']),
      added: z.array(entry),
      removed: z.array(entry),
    }),
  ),
  /** The number of prefixes and customers that `changes` omits. */
  leftOff: z.int(),
  /** Decisions since the previous load. */
  causes: z.array(z.object({ actor: z.string(), action: z.string() })),
  /** Why it waits or failed. */
  detail: z.string().nullable(),
  confirmed: z.object({ at: time, by: z.string().nullable(), reason: z.string() }).nullable(),
})

export const loadsApi = defineApi({
  'GET /api/admin/edges/{id}/loads': {
    summary: 'Loads of an edge with their changes, newest first. The last 500 are kept',
    access: 'admin',
    params: byId,
    query: z.object({
      /** `next` of the previous page. */
      before: rowId.optional(),
      limit: pageLimit,
    }),
    ok: [200, z.object({ loads: z.array(edgeLoad), next: z.int().nullable() })],
  },
  'POST /api/admin/edges/{id}/loads/{load}/confirm': {
    summary: 'Confirm a load that is held because it would remove many prefixes',
    access: 'admin',
    requiredRole: 'network',
    params: byLoad,
    body: reason,
    ok: [200, adminEdge],
    errors: [409],
  },
  'POST /api/admin/edges/{id}/loads/{load}/revert': {
    summary: 'Revert the edge to the prefixes of this load. The revert lasts until it is ended',
    access: 'admin',
    requiredRole: 'network',
    params: byLoad,
    body: reason,
    ok: [200, adminEdge],
    errors: [409],
  },
  'DELETE /api/admin/edges/{id}/revert': {
    summary: 'End a revert. The edge loads the approved prefixes again',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
})
