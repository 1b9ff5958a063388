/** The staff's call about BGP sessions. */
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
  /** False while nothing is heard of the edge: the state is what it last told. */
  stateKnown: z.boolean(),
  since: time.nullable(),
  /** How often it left Established within the last 24 hours. */
  flaps: z.int(),
  lastError: z.string().nullable(),
  received: z.int(),
  accepted: z.int(),
  /** More received routes than this and the edge closes the session. */
  receiveLimit: z.int(),
  /** The same for routes that were accepted. */
  importLimit: z.int(),
  exported: z.int(),
  /** What the customer, or its limit, did to it. */
  control: z.enum(['SHUT_DOWN', 'OVER_LIMIT', 'DRAINED']).nullable(),
  shutdownMessage: z.string().nullable(),
})

/** It was established, or was switched on again, and is down since. */
const downSession = staffSession
  .pick({ customer: true, asn: true, router: true, edge: true, family: true, lastError: true })
  .extend({
    downSince: time,
    /** It sent more routes than its limit: the edge keeps it closed. */
    overLimit: z.boolean(),
  })

const sessionCounts = z.object({
  established: z.int(),
  /** Was established, or was switched on again. */
  down: z.int(),
  neverUp: z.int(),
  /** Switched off on purpose. */
  disabled: z.int(),
  /** Nothing is heard of the edge: none of the above is known. */
  unknown: z.int(),
})

const place = z.object({ id: z.int(), name: z.string() })

/** The sessions of an edge with the routers of one hypervisor. */
const topologyGroup = z.object({
  /** Null, as the hypervisor is, for connections whose router is gone. */
  site: place.nullable(),
  hypervisor: place.nullable(),
  routers: z.int(),
  counts: sessionCounts,
})

export const sessionsApi = defineApi({
  'GET /api/admin/topology': {
    summary: 'Each edge with its BGP sessions by site and hypervisor, the sessions that are down first',
    access: 'admin',
    ok: [
      200,
      z.object({
        /** As the operator named them in `UPSTREAMS`. What each edge reports of its sessions with them is in its own record. */
        upstreams: z.array(z.object({ asn, name: z.string() })),
        edges: z.array(
          z.object({
            id: z.int(),
            counts: sessionCounts,
            /** Prefixes of customers that the edge accepts or originates, and those of them that it announces to an upstream. */
            prefixes: z.object({ accepted: z.int(), announced: z.int() }),
            /** Those with the most sessions down come first. */
            groups: z.array(topologyGroup),
            /** How many further groups there are. */
            hidden: z.int(),
          }),
        ),
        /** The last that went down, a few of each hypervisor. */
        down: z.array(downSession.extend({ hypervisor: place.nullable() })),
      }),
    ],
  },
  'GET /api/admin/sessions/down': {
    summary: 'How many BGP sessions are up and how many are not, and the five that went down last',
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
      'BGP sessions of all customers on all edges, the latest change first unless sorted otherwise; DOWN is neither established nor disabled, UNKNOWN is on an edge that does not respond',
    access: 'admin',
    query: z.object({
      status: z.enum(SESSION_FILTERS).optional(),
      /** Words of the name or address of the customer, its ASN, or words of the name of the router, its hypervisor or the edge. */
      search: z.string().trim().max(100).optional(),
      /** Of `state`, those that are down come first. */
      sort: z.enum(SESSION_SORTS).optional(),
      /** `next` of the page before, in the same order. */
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
