/** The calls about a connection and its BGP sessions. */
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
  /** The operator's side. */
  localAsn: asn,
  localAddress: z.string(),
  /** The customer's router. */
  peerAsn: asn,
  peerAddress: z.string(),
  state: z.enum(SESSION_STATES),
  /** False while nothing is heard of the edge: the state is what it last told. */
  stateKnown: z.boolean(),
  since: time.nullable(),
  /** Since when one that was established is not; null before it ever was. */
  downSince: time.nullable(),
  received: z.int(),
  accepted: z.int(),
  exported: z.int(),
  lastError: z.string().nullable(),
  /** More received routes than this and the edge closes the session. */
  receiveLimit: z.int(),
  /** The same for routes that were accepted. */
  importLimit: z.int(),
  /** It was closed for that: when, from when on it can be cleared, and when the edge tries again. */
  limitExceeded: z.object({ at: time, clearAt: time, retryAt: time }).nullable(),
  /** BFD (RFC 5880): whether the customer turned it on, and what the edge last told of it. */
  bfd: z.object({ enabled: z.boolean(), state: z.enum(BFD_STATES).nullable() }),
  /** When the edge last told; the state is as old as this. Null before it ever did. */
  observedAt: time.nullable(),
})

export const connection = z.object({
  asn: asn.nullable(),
  asSet: z.string().nullable(),
  asnVerifiedAt: time.nullable(),
  /** The last proof of the ASN that was asked for, open or done; null when none was. */
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
  /** Why nothing that was proved of the ASN holds any more, and when its verification is taken back. */
  risk: z.object({ cause: z.enum(ASN_RISK_CAUSES), since: time, lapsesAt: time }).nullable(),
  router: z.object({ id: z.int(), uuid: z.string(), name: z.string(), state: z.string() }).nullable(),
  sessions: z.array(session),
  enabled: z.boolean(),
  /** What the router was told when the sessions were shut down. */
  shutdownMessage: z.string().nullable(),
  /** Its prefixes are a last resort until then (RFC 8326). */
  drainUntil: time.nullable(),
  exports: z.enum(EXPORTS),
  /** Whether sessions are signed with a TCP MD5 password (RFC 2385); the password itself never leaves. */
  hasPassword: z.boolean(),
  /** Of the last change of the key with a trial. `at`: when it begins (null: when the customer says), or ended; `until`: of the trial. */
  passwordChange: z
    .object({ state: z.enum(['PLANNED', 'TRIAL', 'KEPT', 'RETURNED']), at: time.nullable(), until: time.nullable() })
    .nullable(),
  operatorAsn: asn,
  /** Networks that the edges buy transit from, which communities can name. */
  upstreams: z.array(z.object({ asn, name: z.string() })),
  /** Charged once, when its first session comes up, in minor units before tax; null when nothing is. */
  setup: z.object({ amount: z.int(), currency: z.string(), charged: z.boolean() }).nullable(),
  /** The AS-SET as the IRR knows it: `NOT_FOUND` when no registry has it, `UNKNOWN` when none could be asked. */
  asSetStatus: checkStatus.nullable(),
  asSetMembers: z.int().nullable(),
  asSetAsOf: time.nullable(),
  /** Whose set it is, as the registry says; null while it has not been found. */
  asSetFound: z
    .object({
      source: z.string(),
      /** False: the source takes objects from anybody. */
      authoritative: z.boolean(),
      maintainers: z.array(z.string()),
      ownership: z.enum(['OWN', 'NOT_OWN', 'UNKNOWN']),
      how: z.enum(['HIERARCHICAL', 'MAINTAINER', 'PEERINGDB']).nullable(),
      /** Private and reserved ASNs that it lists: they never count as members. */
      reserved: z.array(asn),
      /** Members that are in it only through sources that take objects from anybody. */
      weakMembers: z.int(),
    })
    .nullable(),
  /** What became of its sessions because of the account's standing, and why; null while nothing did. */
  suspension: z
    .object({
      as: z.enum(['drained', 'closed']),
      /** `staff`: only they lift it, and no payment does. */
      by: z.enum(['billing', 'staff']),
      reason: z.string().nullable(),
    })
    .nullable(),
  /** Whether the edge runs what is wanted; `error` in words when it does not. */
  edge: z.object({
    /** The edge that serves the site of the router; null without a router, and while no edge serves that site. */
    name: z.string().nullable(),
    site: z.string().nullable(),
    current: z.boolean(),
    appliedAt: time.nullable(),
    error: z.string().nullable(),
    /** What its product cannot do: requests for it are refused. */
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

/** When one session was not established, newest first. */
export const sessionOutages = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  /** Before this nothing is known of it: it first came up, or older entries were dropped. */
  knownSince: time,
  outages: z.array(
    z.object({
      id: z.int(),
      from: time,
      /** Null while it lasts. As `from` where the session was lost and back before the edge was asked again. */
      to: time.nullable(),
      /** As the edge told; null where it gave no reason. */
      error: z.string().nullable(),
      /** It was disabled, and not lost. */
      intended: z.boolean(),
    }),
  ),
})

export const connectionApi = defineApi({
  'GET /api/transit_connection': {
    summary: 'Own connection: ASN, AS-SET, router and BGP sessions',
    access: 'session',
    ok: [200, connection],
  },
  'PUT /api/transit_connection': {
    summary: 'Set parts of the connection. Another ASN unverifies it and suspends its prefixes',
    access: 'session',
    auditMessage: 'changed your transit connection',
    body: z.strictObject({
      asn: asn.optional(),
      asSet: z
        .string()
        .trim()
        // Before it is in capitals: letters of other alphabets become ASCII there.
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
    /** `next` goes into `before` for the page after; null on the last. */
    ok: [200, z.object({ events: z.array(sessionEvent), next: z.int().nullable() })],
  },
})
