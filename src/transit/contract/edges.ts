/** The staff endpoints for edges. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, byId, givenId, time } from '../../kernel/shapes.ts'
import { slug } from '../../kernel/slug.ts'
import { SESSION_STATES } from '../states.ts'

const edgeFields = {
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  /** The sites whose routers it serves. It holds the gateway addresses of their pools. */
  sites: z.array(z.object({ id: z.int(), name: z.string() })),
  /** The process that drives the edge, or did last; null before any did. */
  process: z.object({ name: z.string(), alive: z.boolean(), since: time, seenAt: time }).nullable(),
  /** Another process that tries to drive it, and why it has to wait. */
  waiting: z.string().nullable(),
  /** Why this driver was chosen. */
  why: z.string().nullable(),
  asn,
  generation: z.string().nullable(),
  wantedGeneration: z.string().nullable(),
  current: z.boolean(),
  appliedAt: time.nullable(),
  attemptedAt: time.nullable(),
  /** When the sessions were last read. */
  observedAt: time.nullable(),
  error: z.string().nullable(),
  /** `no_agent`: no process drives it. `unconfirmed`: a load waits for confirmation by staff. */
  errorKind: z.string().nullable(),
  /** Why the router's neighbor tables differ from the leases. One router could then take over the address of another. */
  neighborsError: z.string().nullable(),
  /** When they were last compared. */
  neighborsAt: time.nullable(),
  /**
   * The edge's own origin validation (RFC 6811): VRPs, and its sessions to RTR caches. Null before its first report,
   * and for an edge that does not validate.
   */
  originValidation: z
    .object({
      vrps: z.int(),
      caches: z.array(z.object({ name: z.string(), up: z.boolean(), status: z.string() })),
      seenAt: time,
      /** Why it cannot be relied on. */
      error: z.string().nullable(),
    })
    .nullable(),
  /** The edge's own sessions with other networks, by name. Null before its first report. */
  upstreams: z
    .object({
      seenAt: time,
      /** The sessions that are down, as text. */
      error: z.string().nullable(),
      sessions: z.array(
        z.object({
          /** The name in the edge's configuration. */
          name: z.string(),
          asn,
          address: z.string(),
          state: z.enum(SESSION_STATES),
          since: time.nullable(),
          /** Since when a session is down that its operator did not disable. */
          downSince: time.nullable(),
          received: z.int(),
          exported: z.int(),
          lastError: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  /** Updates from its upstreams that it discarded entirely (RFC 5065, RFC 7606, RFC 9774), latest first. Null before its first report. */
  refusedFromUpstreams: z
    .object({
      seenAt: time,
      /** Why its log cannot be read. Reasons that only the log has are then missing, also for customers' routes. */
      logError: z.string().nullable(),
      /** False: its product does not report malformed attributes. */
      malformed: z.boolean(),
      rejections: z.array(
        z.object({
          upstream: z.string(),
          prefix: z.string().nullable(),
          reason: z.string(),
          at: time,
        }),
      ),
    })
    .nullable(),
  sessions: z.object({ established: z.int(), all: z.int() }),
  /** Customers' prefixes: how many its filter accepts, and how many of them it announces to an upstream. */
  prefixes: z.object({ accepted: z.int(), announced: z.int() }),
  maintenance: z.object({ since: time, reason: z.string() }).nullable(),
  /** The edge runs the prefixes of an earlier load; `missing` of them may not be restored. */
  reverted: z
    .object({
      load: z.int(),
      at: time,
      by: z.string().nullable(),
      reason: z.string(),
      prefixes: z.int(),
      missing: z.int(),
    })
    .nullable(),
}

/** One of several edges. The driving process reports the kind and the BGP identifier (an IPv4 address), so both are null before one did. */
export const adminEdge = z.object({
  ...edgeFields,
  kind: z.enum(['bird', 'openbgpd', 'simulated']).nullable(),
  routerId: z.string().nullable(),
  /** Set by staff. The agent of this edge must use it, and no other edge may. */
  bgpIdentifier: z.string().nullable(),
})

const firstEdge = z.object({
  ...edgeFields,
  kind: z.enum(['bird', 'openbgpd', 'simulated']),
  routerId: z.string(),
  rpki: z.object({
    source: z.string(),
    state: z.enum(['starting', 'current', 'stale', 'expired']),
    count: z.int(),
    asOf: time.nullable(),
    error: z.string().nullable(),
  }),
})

const edgeName = z.string().trim().min(1, 'is required').max(80, 'is too long')
const edgeSites = z.array(givenId).max(1000, 'names too many')
const bgpIdentifier = z.ipv4('is not an IPv4 address').nullable().optional()
const maintenanceReason = z.string().trim().min(1, 'is required').max(500, 'is too long')

export const edgesApi = defineApi({
  'GET /api/admin/edges': {
    summary: 'Edges with their worker, configuration and errors',
    access: 'admin',
    ok: [
      200,
      z.object({
        edges: z.array(adminEdge),
        /** Names under which processes offer themselves and for which no edge exists. */
        unused: z.array(z.string()),
        /** Sites whose routers cannot have transit, because no edge serves them. */
        unserved: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    ],
  },
  'POST /api/admin/edges': {
    summary: 'Add an edge. Its agent can be enrolled before or after',
    access: 'admin',
    requiredRole: 'network',
    body: z.strictObject({
      slug,
      name: edgeName,
      sites: edgeSites.optional(),
      bgpIdentifier,
    }),
    ok: [201, adminEdge],
    errors: [409],
  },
  'PATCH /api/admin/edges/{id}': {
    summary: 'Change the name, BGP identifier or sites of an edge, or start or end its maintenance (RFC 8326)',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    body: z
      .strictObject({
        name: edgeName.optional(),
        sites: edgeSites.optional(),
        bgpIdentifier,
        maintenance: z.boolean().optional(),
        reason: maintenanceReason.optional(),
      })
      .refine(({ maintenance, reason }) => maintenance !== true || reason !== undefined, {
        path: ['reason'],
        message: 'is required',
      }),
    ok: [200, adminEdge],
    errors: [409],
  },
  'DELETE /api/admin/edges/{id}': {
    summary: 'Remove an edge that has no sites and no connections',
    access: 'admin',
    requiredRole: 'network',
    params: byId,
    ok: [204, null],
    errors: [409],
  },
  'GET /api/admin/edge': { summary: 'The first edge, with the state of RPKI', access: 'admin', ok: [200, firstEdge] },
  'PATCH /api/admin/edge': {
    summary:
      'Start or end maintenance of the first edge. Its routes become a last resort (RFC 8326), so that traffic leaves it',
    access: 'admin',
    requiredRole: 'network',
    body: z.discriminatedUnion('maintenance', [
      z.strictObject({ maintenance: z.literal(true), reason: maintenanceReason }),
      z.strictObject({ maintenance: z.literal(false) }),
    ]),
    ok: [200, firstEdge],
  },
})
