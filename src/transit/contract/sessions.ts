/** The staff's call about BGP sessions. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, pageLimit, time } from '../../kernel/shapes.ts'
import { SESSION_FILTERS, SESSION_STATES } from '../states.ts'

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
  /** More received routes than this and the edge restarts the session. */
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

export const sessionsApi = defineApi({
  'GET /api/admin/sessions/down': {
    summary: 'How many BGP sessions are up and how many are not, and the five that went down last',
    access: 'admin',
    ok: [
      200,
      z.object({
        counts: z.object({
          established: z.int(),
          /** Was established, or was switched on again. */
          down: z.int(),
          neverUp: z.int(),
          /** Switched off on purpose. */
          disabled: z.int(),
          /** Nothing is heard of the edge: none of the above is known. */
          unknown: z.int(),
        }),
        latest: z.array(downSession),
      }),
    ],
  },
  'GET /api/admin/sessions': {
    summary:
      'BGP sessions of all customers on all edges, the latest change first; DOWN is neither established nor disabled',
    access: 'admin',
    query: z.object({
      status: z.enum(SESSION_FILTERS).optional(),
      /** Words of the name or address of the customer, its ASN, or words of the name of the router. */
      search: z.string().trim().max(100).optional(),
      /** `next` of the page before. */
      after: z
        .string()
        .regex(/^\d{1,15}-\d{1,10}-[46]$/, 'is not a page')
        .optional(),
      limit: pageLimit,
    }),
    ok: [
      200,
      z.object({
        sessions: z.array(staffSession),
        counts: z.object({ down: z.int(), established: z.int(), disabled: z.int() }),
        next: z.string().nullable(),
      }),
    ],
  },
})
