/** The endpoints that show what an edge receives, sends and uses. They are read-only, and the edge is queried while the caller waits. */
import { z } from 'zod'
import { defineApi } from '../../kernel/endpoint.ts'
import {
  formatAddress,
  parseAddress,
  PrefixError,
  formatPrefix,
  parsePrefix,
  tryParsePrefix,
} from '../../kernel/prefix.ts'
import { asn, pageLimit, rowId, time } from '../../kernel/shapes.ts'
import { stage } from './prefix-shapes.ts'

const search = z
  .string()
  .trim()
  .max(50)
  .regex(/^[\da-f:./]*$/i, 'takes an address, a prefix, or its beginning')
  .transform((text) => text || undefined)
  .optional()

/** An address means itself only. Host bits are an error, because the answer would be about another prefix. */
const target = z
  .string()
  .trim()
  .max(50, 'is too long')
  .transform((text, context) => {
    const address = parseAddress(text)
    if (address) return `${formatAddress(address)}/${address.family === 4 ? 32 : 128}`
    try {
      return formatPrefix(parsePrefix(text))
    } catch (error) {
      if (!(error instanceof PrefixError)) throw error
      context.addIssue({ code: 'custom', message: `takes an address or a prefix: ${error.message}` })
      return z.NEVER
    }
  })

const seenRoute = z.object({
  prefix: z.string(),
  /** In BGP notation; empty for routes that the edge originates. */
  asPath: z.string(),
  origin: asn.nullable(),
  communities: z.array(z.string()),
  since: time.nullable(),
})

export const receivedRoute = seenRoute.extend({
  nextHop: z.string().nullable(),
  accepted: z.boolean(),
  /** Why it was rejected; for `code` see docs/edge.md. */
  reason: z.object({ code: z.int(), text: z.string(), fix: z.string() }).nullable(),
})

/** `error` says why nothing is known. `at` is when the edge answered. */
const known = { at: time.nullable(), error: z.string().nullable() }

const candidate = seenRoute.extend({
  best: z.boolean(),
  /** Why it is or is not the best route. */
  why: z.string(),
  source: z.enum(['customer', 'upstream', 'own']),
  /** The caller’s own route. */
  own: z.boolean(),
  blackhole: z.boolean(),
  localPreference: z.int().nullable(),
  originType: z.enum(['IGP', 'EGP', 'INCOMPLETE']).nullable(),
  med: z.int().nullable(),
  /** For the caller’s own routes only; staff see it for all. */
  nextHop: z.string().nullable(),
})
const staffCandidate = candidate.extend({
  customer: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }).nullable(),
})

const edge = z.object({ id: z.int(), name: z.string() })

export const lookingGlassApi = defineApi({
  'GET /api/transit_connection/routes': {
    summary: 'Routes that the edge receives from your router, rejected routes and their reasons first',
    access: 'verified',
    query: z.object({
      state: z.enum(['accepted', 'refused']).optional(),
      search,
      /** `next` of the previous page. */
      after: z
        .string()
        .max(50)
        .refine((after) => /^[ar]-/.test(after) && tryParsePrefix(after.slice(2)) !== null, 'is not a page')
        .optional(),
      limit: pageLimit,
    }),
    ok: [
      200,
      z.object({
        ...known,
        routes: z.array(receivedRoute),
        accepted: z.int(),
        refused: z.int(),
        /** False: the edge has more routes than are read at once, so the counts and the search are incomplete. */
        complete: z.boolean(),
        next: z.string().nullable(),
      }),
    ],
    errors: [429, 503],
  },
  'GET /api/transit_connection/sent_routes': {
    summary: 'Routes that the edge sends to your router: the count, and the first ones or those that match a search',
    access: 'verified',
    query: z.object({ search: target.optional(), limit: pageLimit }),
    ok: [
      200,
      z.object({
        ...known,
        routes: z.array(seenRoute),
        /** Routes of both sessions, as last counted. */
        total: z.int(),
        complete: z.boolean(),
      }),
    ],
    errors: [429, 503],
  },
  'GET /api/transit_connection/why': {
    summary: 'Whether a prefix is announced to upstreams, and if not, the first stage that fails',
    access: 'verified',
    query: z.object({ prefix: target }),
    ok: [
      200,
      z.object({
        prefix: z.string(),
        announced: z.boolean(),
        /** The stage at which the prefix stops. */
        at: z.enum(['requested', 'rpki', 'irr', 'staff', 'filter', 'received', 'accepted', 'exported']).nullable(),
        answer: z.string(),
        next: z.string().nullable(),
        request: z.object({ id: z.int(), stages: z.array(stage) }).nullable(),
        /** Routes for the prefix and around it that the edge receives; at most ten. */
        heard: z.array(receivedRoute),
        error: z.string().nullable(),
      }),
    ],
    errors: [429, 503],
  },
  'GET /api/looking_glass': {
    summary: 'Routes of your edge for an address or prefix: the best one, the alternatives, and why it was chosen',
    access: 'verified',
    query: z.object({ target }),
    ok: [200, z.object({ ...known, target: z.string(), edge: edge.nullable(), routes: z.array(candidate) })],
    errors: [429, 503],
  },
  'GET /api/admin/looking_glass': {
    summary: 'Routes of any edge for an address or prefix, with the customers that announce them',
    access: 'admin',
    query: z.object({ target, edge: rowId.optional() }),
    ok: [
      200,
      z.object({
        ...known,
        target: z.string(),
        edge: edge.nullable(),
        edges: z.array(edge),
        routes: z.array(staffCandidate),
      }),
    ],
    errors: [404, 429, 503],
  },
})
