/** The border of transit: the connection, its sessions, and prefixes on their way to the world. Imported by the browser as types alone. */
import { z } from 'zod'
import { isAsSetName } from '../drivers/irr/index.ts'
import { MAX_ASN } from '../kernel/asn.ts'
import { defineApi, type Answer } from '../kernel/endpoint.ts'
import { slug } from '../kernel/slug.ts'
import { byId, bigId, pageLimit, time } from '../kernel/shapes.ts'
import { ASN_DOUBT_CAUSES, ASN_PROOF_METHODS } from '../accounts/policy.ts'
import {
  ANNOUNCEMENT_TYPES,
  CHECK_STATUSES,
  EXPORTS,
  PREFIX_STATUSES,
  SESSION_STATES,
  STAGE_STATES,
  STAGES,
  STAFF_ACTIONS,
} from './states.ts'

const asn = z.int().min(0).max(MAX_ASN)
const checkStatus = z.enum(CHECK_STATUSES)

const session = z.object({
  family: z.union([z.literal(4), z.literal(6)]),
  /** The operator's side. */
  localAsn: asn,
  localAddress: z.string(),
  /** The customer's router. */
  peerAsn: asn,
  peerAddress: z.string(),
  state: z.enum(SESSION_STATES),
  since: time.nullable(),
  received: z.int(),
  accepted: z.int(),
  exported: z.int(),
  lastError: z.string().nullable(),
  /** When the edge last told; the state is as old as this. Null before it ever did. */
  observedAt: time.nullable(),
})

const connection = z.object({
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
  doubt: z.object({ cause: z.enum(ASN_DOUBT_CAUSES), since: time, lapsesAt: time }).nullable(),
  router: z.object({ id: z.int(), uuid: z.string(), name: z.string(), state: z.string() }).nullable(),
  sessions: z.array(session),
  enabled: z.boolean(),
  exports: z.enum(EXPORTS),
  /** Whether sessions are signed with a TCP MD5 password (RFC 2385); the password itself never leaves. */
  hasPassword: z.boolean(),
  operatorAsn: asn,
  /** Charged once, when its first session comes up, in minor units before tax; null when nothing is. */
  setup: z.object({ amount: z.int(), currency: z.string(), charged: z.boolean() }).nullable(),
  /** The AS-SET as the IRR knows it: `NOT_FOUND` when no registry has it, `UNKNOWN` when none could be asked. */
  asSetStatus: checkStatus.nullable(),
  asSetMembers: z.int().nullable(),
  asSetAsOf: time.nullable(),
  /** Whether the edge runs what is wanted; `error` in words when it does not. */
  edge: z.object({
    /** The edge that serves the site of the router; null without a router, and while no edge serves that site. */
    name: z.string().nullable(),
    site: z.string().nullable(),
    current: z.boolean(),
    appliedAt: time.nullable(),
    error: z.string().nullable(),
  }),
})

const vrp = z.object({ prefix: z.string(), maxLength: z.int(), asn, matched: z.boolean() })
const routeObject = z.object({ prefix: z.string(), origin: asn, source: z.string(), exact: z.boolean() })

/** What a person enters elsewhere to mend a finding: `text` goes there verbatim. */
const fix = z.object({
  kind: z.enum(['ROA', 'ROUTE_OBJECT', 'AS_SET', 'VALUE']),
  title: z.string(),
  text: z.string(),
})

const lastGood = z.object({ status: checkStatus, asOf: time }).nullable()
const rpkiEvidence = z.object({
  reason: z.enum(['AS', 'LENGTH']).nullable(),
  vrps: z.array(vrp),
  asOf: time.nullable(),
  /** The last verdict that was more than `UNKNOWN`. */
  lastGood,
})
const irrEvidence = z.object({ objects: z.array(routeObject), asOf: time.nullable(), lastGood })

const stage = z.object({
  name: z.enum(STAGES),
  state: z.enum(STAGE_STATES),
  at: time.nullable(),
  detail: z.string(),
  fixes: z.array(fix),
})

const prefixFields = {
  id: z.int(),
  value: z.string(),
  status: z.enum(PREFIX_STATUSES),
  /** Why it is in this status, in words; by staff or by the checks. */
  statusReason: z.string().nullable(),
  rpkiStatus: checkStatus,
  irrStatus: checkStatus,
  announcementType: z.enum(ANNOUNCEMENT_TYPES),
  /** The only AS that may originate it; null until one is found for a DOWNSTREAM prefix. */
  originAsn: asn.nullable(),
  /** When the edge confirmed the filter that contains it; null while it does not. */
  importedAt: time.nullable(),
  createdAt: time,
  decidedAt: time.nullable(),
  checkedAt: time.nullable(),
  rpki: rpkiEvidence,
  irr: irrEvidence,
  /** An approved prefix whose proof broke: what to mend before traffic suffers. */
  attention: z.string().nullable(),
  stages: z.array(stage),
}

const prefix = z.object({ ...prefixFields, allowedActions: z.array(z.enum(['withdraw'])) })

const adminPrefix = z.object({
  ...prefixFields,
  allowedActions: z.array(z.enum(STAFF_ACTIONS)),
  decidedBy: z.object({ id: z.int(), email: z.string() }).nullable(),
  user: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
  asn: asn.nullable(),
  asSet: z.string().nullable(),
  asnVerifiedAt: time.nullable(),
  router: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Whether the edge does what was decided: holds an approved prefix, has dropped any other. */
  edge: z.object({
    /** The edge that serves the site of the router. */
    name: z.string().nullable(),
    loaded: z.boolean(),
    settled: z.boolean(),
    detail: z.string(),
  }),
})

/** What can be wrong with a value before any source is asked. */
const CHECK_PROBLEMS = ['SYNTAX', 'HOST_BITS', 'BOGON', 'TOO_LONG', 'TOO_SHORT', 'HELD', 'ORIGIN'] as const

const checkResult = z.object({
  /** As it was written. */
  value: z.string(),
  /** Canonical text; null when it is no prefix. */
  prefix: z.string().nullable(),
  /** A request would be taken. What the sources say decides what becomes of it. */
  acceptable: z.boolean(),
  problems: z.array(z.object({ code: z.enum(CHECK_PROBLEMS), message: z.string() })),
  originAsn: asn.nullable(),
  rpkiStatus: checkStatus.nullable(),
  rpki: rpkiEvidence.omit({ lastGood: true }).nullable(),
  irrStatus: checkStatus.nullable(),
  irr: irrEvidence.omit({ lastGood: true }).nullable(),
  fixes: z.array(fix),
})

const sessionEvent = z.object({
  id: z.int(),
  at: time,
  family: z.union([z.literal(4), z.literal(6)]),
  from: z.enum(SESSION_STATES).nullable(),
  to: z.enum(SESSION_STATES),
  error: z.string().nullable(),
})

const originAsn = z.int('is a number such as 64500').min(1).max(MAX_ASN).optional()
const decision = z.strictObject({ reason: z.string().trim().min(1).max(500).optional() })

export const MAX_CHECKED_AT_ONCE = 100

const edgeFields = {
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  /** Where it serves routers: the gateways of their pools stand on it. */
  sites: z.array(z.object({ id: z.int(), name: z.string() })),
  /** Who drives it, or did last; null before anybody did. */
  process: z.object({ name: z.string(), alive: z.boolean(), since: time, seenAt: time }).nullable(),
  /** Another process that wants to, and why it has to wait. */
  waiting: z.string().nullable(),
  /** Why it is this driver. */
  why: z.string().nullable(),
  asn,
  generation: z.string().nullable(),
  wantedGeneration: z.string().nullable(),
  current: z.boolean(),
  appliedAt: time.nullable(),
  attemptedAt: time.nullable(),
  /** The sessions are as old as this. */
  observedAt: time.nullable(),
  error: z.string().nullable(),
  /** `away`: no process drives it. */
  errorKind: z.string().nullable(),
  sessions: z.object({ established: z.int(), all: z.int() }),
  maintenance: z.object({ since: time, reason: z.string() }).nullable(),
}

/** Of several: kind and BGP identifier (an IPv4 address) are told by the process that drives it, so null before one did. */
const adminEdge = z.object({
  ...edgeFields,
  kind: z.enum(['bird', 'simulated']).nullable(),
  routerId: z.string().nullable(),
})

const firstEdge = z.object({
  ...edgeFields,
  kind: z.enum(['bird', 'simulated']),
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
const edgeSites = z.array(z.int().positive().max(2147483647)).max(1000, 'names too many')
const maintenanceReason = z.string().trim().min(1, 'is required').max(500, 'is too long')

export const transitApi = defineApi({
  'GET /api/transit_connection': {
    summary: 'Own connection: ASN, AS-SET, router and BGP sessions',
    access: 'session',
    ok: [200, connection],
  },
  'PUT /api/transit_connection': {
    summary: 'Set parts of the connection. Another ASN unverifies it and suspends its prefixes',
    access: 'session',
    body: z.strictObject({
      asn: asn.optional(),
      asSet: z
        .string()
        .trim()
        .toUpperCase()
        .refine(isAsSetName, 'is no AS-SET name: AS-EXAMPLE, AS64500:AS-CUSTOMERS, or RIPE::AS-EXAMPLE (RFC 2622)')
        .nullable()
        .optional(),
      routerId: z.int().positive().nullable().optional(),
      enabled: z.boolean().optional(),
      exports: z.enum(EXPORTS).optional(),
      password: z
        .string()
        .regex(/^[!#-[\]-~]{1,80}$/, 'takes 1 to 80 printable ASCII characters without space, quote and backslash')
        .nullable()
        .optional(),
    }),
    ok: [200, connection],
    refuses: [409],
  },
  'GET /api/transit_connection/events': {
    summary: 'How the BGP sessions changed state, newest first',
    access: 'verified',
    query: z.object({
      before: bigId.optional(),
      limit: pageLimit,
    }),
    /** `next` goes into `before` for the page after; null on the last. */
    ok: [200, z.object({ events: z.array(sessionEvent), next: z.int().nullable() })],
  },
  'GET /api/transit_prefixes': {
    summary: 'Own prefixes, newest first, each with its stages',
    access: 'verified',
    ok: [200, z.array(prefix)],
  },
  'GET /api/transit_prefixes/{id}': { summary: 'One own prefix', access: 'verified', params: byId, ok: [200, prefix] },
  'POST /api/transit_prefixes': {
    summary: 'Request a prefix',
    access: 'verified',
    body: z.strictObject({
      value: z.string().trim().min(1, 'is required').max(100, 'is too long'),
      announcementType: z.enum(ANNOUNCEMENT_TYPES),
      originAsn,
    }),
    ok: [201, prefix],
  },
  'POST /api/transit_prefixes/check': {
    summary: 'What a request would find for each value, and the text that would mend it; writes nothing',
    access: 'verified',
    // It asks other servers: no transaction is held open meanwhile.
    transaction: 'own',
    body: z.strictObject({
      values: z.array(z.string().max(100, 'is too long')).min(1).max(MAX_CHECKED_AT_ONCE),
      announcementType: z.enum(ANNOUNCEMENT_TYPES).default('ORIGIN'),
      originAsn,
    }),
    ok: [200, z.array(checkResult)],
  },
  'POST /api/transit_prefixes/{id}/check': {
    summary: 'Ask RPKI and IRR again, now',
    access: 'verified',
    params: byId,
    ok: [202, prefix],
    refuses: [409],
  },
  'DELETE /api/transit_prefixes/{id}': {
    summary: 'Withdraw a prefix',
    access: 'verified',
    params: byId,
    ok: [204, null],
    refuses: [409],
  },
  'GET /api/admin/transit_prefixes/{id}': {
    summary: 'One prefix with its owner',
    access: 'admin',
    params: byId,
    ok: [200, adminPrefix],
  },
  'POST /api/admin/transit_prefixes/{id}/approve': {
    summary: 'Approve: the edge takes it. Against a finding of the checks this needs a reason',
    access: 'admin',
    duty: 'network',
    params: byId,
    body: decision,
    ok: [200, adminPrefix],
    refuses: [409],
  },
  'POST /api/admin/transit_prefixes/{id}/reject': {
    summary: 'Reject a request',
    access: 'admin',
    duty: 'network',
    params: byId,
    body: decision,
    ok: [200, adminPrefix],
    refuses: [409],
  },
  'POST /api/admin/transit_prefixes/{id}/suspend': {
    summary: 'Suspend an approved prefix: the edge drops it',
    access: 'admin',
    duty: 'network',
    params: byId,
    body: decision,
    ok: [200, adminPrefix],
    refuses: [409],
  },
  'GET /api/admin/edges': {
    summary: 'Every edge: who drives it, what it runs, and why not more',
    access: 'admin',
    ok: [
      200,
      z.object({
        edges: z.array(adminEdge),
        /** Names under which a process offers itself, and that no edge has. */
        unused: z.array(z.string()),
        /** Sites whose routers can carry no transit, because no edge serves them. */
        unserved: z.array(z.object({ id: z.int(), name: z.string() })),
      }),
    ],
  },
  'POST /api/admin/edges': {
    summary: 'Add an edge. A process beside it drives it, with ROLE=edge and EDGE_NAME=its short name',
    access: 'admin',
    duty: 'network',
    body: z.strictObject({
      slug,
      name: edgeName,
      sites: edgeSites.optional(),
    }),
    ok: [201, adminEdge],
    refuses: [409],
  },
  'PATCH /api/admin/edges/{id}': {
    summary: 'Change its name or the sites that it serves, or begin or end its maintenance (RFC 8326)',
    access: 'admin',
    duty: 'network',
    params: byId,
    body: z
      .strictObject({
        name: edgeName.optional(),
        sites: edgeSites.optional(),
        maintenance: z.boolean().optional(),
        reason: maintenanceReason.optional(),
      })
      .refine(({ maintenance, reason }) => maintenance !== true || reason !== undefined, {
        path: ['reason'],
        message: 'is required',
      }),
    ok: [200, adminEdge],
  },
  'DELETE /api/admin/edges/{id}': {
    summary: 'Remove an edge that serves no site and carries nothing',
    access: 'admin',
    duty: 'network',
    params: byId,
    ok: [204, null],
    refuses: [409],
  },
  'GET /api/admin/edge': { summary: 'The first edge, with the state of RPKI', access: 'admin', ok: [200, firstEdge] },
  'PATCH /api/admin/edge': {
    summary:
      'Begin or end maintenance of the first edge: each of its customers becomes a last resort (RFC 8326), so that traffic leaves it',
    access: 'admin',
    duty: 'network',
    body: z.discriminatedUnion('maintenance', [
      z.strictObject({ maintenance: z.literal(true), reason: maintenanceReason }),
      z.strictObject({ maintenance: z.literal(false) }),
    ]),
    ok: [200, firstEdge],
  },
})

export type TransitApi = typeof transitApi
export type TransitConnection = Answer<TransitApi['GET /api/transit_connection']>
export type TransitSession = z.output<typeof session>
export type TransitPrefix = z.output<typeof prefix>
export type AdminTransitPrefix = z.output<typeof adminPrefix>
export type AdminEdge = z.output<typeof adminEdge>
export type Stage = z.output<typeof stage>
export type Fix = z.output<typeof fix>
export type CheckResult = z.output<typeof checkResult>
export type CheckProblem = CheckResult['problems'][number]
export type SessionEvent = z.output<typeof sessionEvent>
