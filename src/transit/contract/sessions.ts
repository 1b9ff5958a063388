/** The staff endpoints for BGP sessions. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, pageLimit, time } from '../../kernel/shapes.ts'
import { SESSION_FILTERS, SESSION_SORTS, SESSION_STATES } from '../states.ts'

export const staffSession = z.object({
  customer: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
  asn: asn.nullable(),
  router: z.object({ id: z.int(), name: z.string() }).nullable(),
  edge: z.object({ id: z.int(), name: z.string() }),
  family: z.union([z.literal(4), z.literal(6)]),
  state: z.enum(SESSION_STATES),
  /** False while the edge is unreachable: the state is the last it reported. */
  stateKnown: z.boolean(),
  since: time.nullable(),
  /** How often it left Established within the last 24 hours. */
  flaps: z.int(),
  lastError: z.string().nullable(),
  received: z.int(),
  accepted: z.int(),
  /** The edge closes the session above this number of received routes. */
  receiveLimit: z.int(),
  /** The same for accepted routes; null if the edge does not limit them. */
  importLimit: z.int().nullable(),
  exported: z.int(),
  /** The customer's action on it, or that it exceeded its limit. */
  control: z.enum(['SHUT_DOWN', 'OVER_LIMIT', 'DRAINED']).nullable(),
  shutdownMessage: z.string().nullable(),
})

/** A session that was established, or was enabled again, and has been down since. */
const downSession = staffSession
  .pick({ customer: true, asn: true, router: true, edge: true, family: true, lastError: true })
  .extend({
    downSince: time,
    /** It exceeded its route limit, so the edge keeps it closed. */
    overLimit: z.boolean(),
  })

const sessionCounts = z.object({
  established: z.int(),
  /** Sessions that were established, or enabled again, and are down. */
  down: z.int(),
  neverUp: z.int(),
  /** Switched off on purpose. */
  disabled: z.int(),
  /** Sessions of an unreachable edge, which are in none of the counts above. */
  unknown: z.int(),
})

const place = z.object({ id: z.int(), name: z.string() })

/** The sessions of an edge with the routers on one hypervisor. */
const topologyGroup = z.object({
  /** Null, like the hypervisor, for connections whose router is gone. */
  site: place.nullable(),
  hypervisor: place.nullable(),
  routers: z.int(),
  counts: sessionCounts,
})

export const sessionsApi = defineApi({
  'GET /api/admin/topology': {
    summary: 'Edges with their BGP sessions by site and hypervisor. Sessions that are down come first',
    access: 'admin',
    ok: [
      200,
      z.object({
        /** As the operator named them in `UPSTREAMS`. What each edge reports about its sessions with them is in that edge's record. */
        upstreams: z.array(z.object({ asn, name: z.string() })),
        edges: z.array(
          z.object({
            id: z.int(),
            counts: sessionCounts,
            /** Customers' prefixes that the edge accepts or originates, and how many of them it announces to an upstream. */
            prefixes: z.object({ accepted: z.int(), announced: z.int() }),
            /** The groups with the most sessions down come first. */
            groups: z.array(topologyGroup),
            /** How many more groups there are. */
            hidden: z.int(),
          }),
        ),
        /** The sessions that went down last, a few for each hypervisor. */
        down: z.array(downSession.extend({ hypervisor: place.nullable() })),
      }),
    ],
  },
  'GET /api/admin/sessions/down': {
    summary: 'Number of BGP sessions up and down, and the five that went down last',
    access: 'admin',
    ok: [
      200,
      z.object({
        counts: sessionCounts,
        latest: z.array(downSession),
      }),
    ],
  },
  'GET /api/admin/sessions': {
    summary:
      'BGP sessions of all customers on all edges, latest change first by default. DOWN: neither established nor disabled. UNKNOWN: the edge does not respond',
    access: 'admin',
    query: z.object({
      status: z.enum(SESSION_FILTERS).optional(),
      /** Words of the customer's name or email address, its ASN, or words of the name of the router, its hypervisor or the edge. */
      search: z.string().trim().max(100).optional(),
      /** For `state`, sessions that are down come first. */
      sort: z.enum(SESSION_SORTS).optional(),
      /** `next` of the previous page, in the same order. */
      after: z
        .string()
        .regex(/^(?:\d{1,16}-){2,3}[46]$/, 'is not a page')
        .optional(),
      limit: pageLimit,
    }),
    ok: [
      200,
      z.object({
        sessions: z.array(staffSession),
        counts: z.object({ down: z.int(), established: z.int(), disabled: z.int(), unknown: z.int() }),
        next: z.string().nullable(),
      }),
    ],
  },
})
