/** The endpoints of a connection and its BGP sessions. */
import { z } from 'zod'
import { ASN_RISK_CAUSES, ASN_PROOF_METHODS } from '../../accounts/policy.ts'
import { isAsSetName } from '../../drivers/irr/index.ts'
import { defineApi } from '../../kernel/endpoint.ts'
import { asn, bigId, byId, givenId, pageLimit, time } from '../../kernel/shapes.ts'
import { BFD_STATES, EDGE_LACKS, EXPORTS, SESSION_STATES } from '../states.ts'
import { checkStatus } from './prefix-shapes.ts'

export const password = z
  .string()
  .regex(/^[!#-[\]-~]{1,80}$/, 'takes 1 to 80 printable ASCII characters without space, quote and backslash')

export const session = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  /** The operator's ASN. */
  localAsn: asn,
  localAddress: z.string(),
  /** The ASN of the customer's router. */
  peerAsn: asn,
  peerAddress: z.string(),
  state: z.enum(SESSION_STATES),
  /** False while the edge is unreachable: the state is the last it reported. */
  stateKnown: z.boolean(),
  since: time.nullable(),
  /** Since when a session that was established is down; null if it was never up. */
  downSince: time.nullable(),
  received: z.int(),
  accepted: z.int(),
  exported: z.int(),
  lastError: z.string().nullable(),
  /** The edge closes the session above this number of received routes. */
  receiveLimit: z.int(),
  /** The same for accepted routes; null if the edge does not limit them. */
  importLimit: z.int().nullable(),
  /** When the session was closed for exceeding a limit, when it can be cleared, and when the edge retries. */
  limitExceeded: z.object({ at: time, clearAt: time, retryAt: time }).nullable(),
  /** BFD (RFC 5880): whether the customer turned it on, and the state that the edge last reported. */
  bfd: z.object({ enabled: z.boolean(), state: z.enum(BFD_STATES).nullable() }),
  /** When the edge last reported, and so the age of the state. Null before the first report. */
  observedAt: time.nullable(),
})

export const connection = z.object({
  asn: asn.nullable(),
  asSet: z.string().nullable(),
  asnVerifiedAt: time.nullable(),
  /** The last requested proof of the ASN, open or done; null without any. */
  verification: z
    .object({
      method: z.enum(ASN_PROOF_METHODS),
      strength: z.enum(['low', 'medium', 'high']),
      state: z.enum(['sent', 'expired', 'verified']),
      sentAt: time,
      verifiedAt: time.nullable(),
      validUntil: time.nullable(),
    })
    .nullable(),
  /** Why no proof of the ASN is valid any more, and when its verification lapses. */
  risk: z.object({ cause: z.enum(ASN_RISK_CAUSES), since: time, lapsesAt: time }).nullable(),
  router: z.object({ id: z.int(), uuid: z.string(), name: z.string(), state: z.string() }).nullable(),
  sessions: z.array(session),
  enabled: z.boolean(),
  /** The message sent to the router when the sessions were shut down. */
  shutdownMessage: z.string().nullable(),
  /** Until then its prefixes are a last resort for other networks (RFC 8326). */
  drainUntil: time.nullable(),
  exports: z.enum(EXPORTS),
  /** Whether sessions are signed with a TCP MD5 password (RFC 2385). The password itself is never returned. */
  hasPassword: z.boolean(),
  /**
   * The last change of the key. `at`: when the edge starts to use it (null: when the customer starts it), or when the
   * change ended. `until`: the end of the test period.
   */
  passwordChange: z
    .object({ state: z.enum(['PLANNED', 'TRIAL', 'KEPT', 'RETURNED']), at: time.nullable(), until: time.nullable() })
    .nullable(),
  operatorAsn: asn,
  /** Networks that the edges buy transit from, which communities can address. */
  upstreams: z.array(z.object({ asn, name: z.string() })),
  /** The setup fee, charged once when the first session comes up, in minor units before tax. Null when there is none. */
  setup: z.object({ amount: z.int(), currency: z.string(), charged: z.boolean() }).nullable(),
  /** The AS-SET according to the IRR. `NOT_FOUND`: no registry has it. `UNKNOWN`: no registry answered. */
  asSetStatus: checkStatus.nullable(),
  asSetMembers: z.int().nullable(),
  asSetAsOf: time.nullable(),
  /** The set's owner according to the registry; null while the set has not been found. */
  asSetFound: z
    .object({
      source: z.string(),
      /** False: the source accepts objects from anybody. */
      authoritative: z.boolean(),
      maintainers: z.array(z.string()),
      ownership: z.enum(['OWN', 'NOT_OWN', 'UNKNOWN']),
      how: z.enum(['HIERARCHICAL', 'MAINTAINER', 'PEERINGDB']).nullable(),
      /** Private and reserved ASNs that it lists. They never count as members. */
      reserved: z.array(asn),
      /** The number of members listed only by sources that accept objects from anybody. */
      weakMembers: z.int(),
    })
    .nullable(),
  /** How and why the account's status affects its sessions; null when it does not. */
  suspension: z
    .object({
      as: z.enum(['drained', 'closed']),
      /** `staff`: only staff lift it; payment does not. */
      by: z.enum(['billing', 'staff']),
      reason: z.string().nullable(),
    })
    .nullable(),
  /** Whether the edge runs the desired state. `error` says why not. */
  edge: z.object({
    /** The edge that serves the router's site; null without a router, and while no edge serves the site. */
    name: z.string().nullable(),
    site: z.string().nullable(),
    current: z.boolean(),
    appliedAt: time.nullable(),
    error: z.string().nullable(),
    /** Features that the edge product lacks. Requests for them are refused. */
    lacks: z.array(z.enum(EDGE_LACKS)),
  }),
})

export const sessionEvent = z.object({
  id: z.int(),
  at: time,
  family: z.union([z.literal(4), z.literal(6)]),
  from: z.enum(SESSION_STATES).nullable(),
  to: z.enum(SESSION_STATES),
  error: z.string().nullable(),
})

/** The times when one session was not established, newest first. */
export const sessionOutages = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  /** Nothing is known before this: the session first came up then, or older entries were dropped. */
  knownSince: time,
  outages: z.array(
    z.object({
      id: z.int(),
      from: time,
      /** Null while it lasts. Equal to `from` when the session was lost and restored between two reports of the edge. */
      to: time.nullable(),
      /** As the edge reported it; null when it gave no reason. */
      error: z.string().nullable(),
      /** The session was disabled, not lost. */
      intended: z.boolean(),
    }),
  ),
})

export const connectionApi = defineApi({
  'GET /api/transit_connection': {
    summary: 'The connection: ASN, AS-SET, router and BGP sessions',
    access: 'session',
    ok: [200, connection],
  },
  'PUT /api/transit_connection': {
    summary: 'Change parts of the connection. Changing the ASN removes its verification and suspends its prefixes',
    access: 'session',
    auditMessage: 'changed your transit connection',
    body: z.strictObject({
      asn: asn.optional(),
      asSet: z
        .string()
        .trim()
        // Check before uppercasing, which turns some letters of other alphabets into ASCII.
        .refine(isAsSetName, 'is no AS-SET name: AS-EXAMPLE, AS64500:AS-CUSTOMERS, or RIPE::AS-EXAMPLE (RFC 2622)')
        .toUpperCase()
        .nullable()
        .optional(),
      routerId: givenId.nullable().optional(),
      enabled: z.boolean().optional(),
      exports: z.enum(EXPORTS).optional(),
      password: password.nullable().optional(),
    }),
    ok: [200, connection],
    errors: [409],
  },
  'GET /api/transit_connection/outages': {
    summary: 'When each BGP session was down or disabled, newest first. A session that was never up is left out',
    access: 'verified',
    ok: [200, z.object({ sessions: z.array(sessionOutages) })],
  },
  'GET /api/admin/users/{id}/session_outages': {
    summary: 'When each BGP session of an account was down or disabled, newest first',
    access: 'admin',
    params: byId,
    ok: [200, z.object({ sessions: z.array(sessionOutages) })],
  },
  'GET /api/transit_connection/events': {
    summary: 'When BGP sessions came up, were lost or were disabled, newest first',
    access: 'verified',
    query: z.object({
      before: bigId.optional(),
      limit: pageLimit,
    }),
    /** Pass `next` as `before` to get the next page; null on the last page. */
    ok: [200, z.object({ events: z.array(sessionEvent), next: z.int().nullable() })],
  },
})
