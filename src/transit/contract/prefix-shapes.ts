/** A prefix as its owner and staff see it, with its check results. */
import { z } from 'zod'
import { asn, time } from '../../kernel/shapes.ts'
import { CONSENT_KINDS } from '../downstreams/consent.ts'
import { DNSSEC_STATUSES } from '../../drivers/dns/index.ts'
import { EVIDENCE_KINDS, STRENGTHS } from '../evidence/evidence.ts'
import { REVERSE_DNS_STATES } from '../evidence/reverse-dns.ts'
import {
  ANNOUNCEMENT_TYPES,
  CHECK_STATUSES,
  LINK_PURPOSES,
  LINK_STATES,
  PREFIX_STATUSES,
  STAFF_ACTIONS,
  STAGE_STATES,
  STAGE_TODOS,
  STAGES,
} from '../states.ts'

export const checkStatus = z.enum(CHECK_STATUSES)

const vrp = z.object({ prefix: z.string(), maxLength: z.int(), asn, matched: z.boolean() })
const routeObject = z.object({
  prefix: z.string(),
  origin: asn,
  source: z.string(),
  exact: z.boolean(),
  /** False: the source accepts objects from anybody. */
  authoritative: z.boolean(),
})

/** For a DOWNSTREAM prefix: the AS-SET that permits it, how its origin is a member, and whether the origin agreed. */
const downstream = z.object({
  set: z.object({
    name: z.string(),
    source: z.string().nullable(),
    /** False: the source accepts sets from anybody. Null where several registries have a set of this name. */
    authoritative: z.boolean().nullable(),
    maintainers: z.array(z.string()),
    ownership: z.enum(['OWN', 'NOT_OWN', 'UNKNOWN']),
    how: z.enum(['HIERARCHICAL', 'MAINTAINER', 'PEERINGDB']).nullable(),
  }),
  /** `weak`: a member only through a source that accepts objects from anybody. */
  member: z.object({ path: z.array(z.string()), weak: z.boolean() }).nullable(),
  consent: z
    .object({
      status: z.enum(['AGREED', 'REFUSED', 'NONE', 'UNKNOWN']),
      how: z.enum(CONSENT_KINDS).nullable(),
      detail: z.string(),
    })
    .nullable(),
})

/** A step that fixes a failed check at another system. `text` is entered there verbatim. */
export const remediationStep = z.object({
  kind: z.enum(['ROA', 'ROUTE_OBJECT', 'AS_SET', 'ASPA', 'AUT_NUM', 'MAIL', 'VALUE']),
  title: z.string(),
  text: z.string(),
  /** The page of the registry where it is entered; null where none is known. */
  url: z.string().nullable(),
})

const lastGood = z.object({ status: checkStatus, asOf: time }).nullable()
const rpkiEvidence = z.object({
  reason: z.enum(['AS', 'LENGTH']).nullable(),
  vrps: z.array(vrp),
  asOf: time.nullable(),
  /** The last result other than `UNKNOWN`. */
  lastGood,
})
const irrEvidence = z.object({ objects: z.array(routeObject), asOf: time.nullable(), lastGood })

export const stage = z.object({
  name: z.enum(STAGES),
  state: z.enum(STAGE_STATES),
  at: time.nullable(),
  detail: z.string(),
  /** Why it has failed since `at`, and how the owner fixes it, addressed to the owner. */
  cause: z.string().nullable(),
  fix: z.string().nullable(),
  /** The last known state: `what` continues `detail`. */
  earlier: z.object({ what: z.string(), at: time }).nullable(),
  /** The customer's action that the stage waits for; null when it waits for nobody, or for others. */
  todo: z.enum(STAGE_TODOS).nullable(),
  remediation: z.array(remediationStep),
})

const evidence = z.object({
  kind: z.enum(EVIDENCE_KINDS),
  /** Where it was seen: a registry, an IRR source, or a DNS zone. */
  source: z.string(),
  strength: z.enum(STRENGTHS),
  seen: z.string(),
  observedAt: time,
  expiresAt: time.nullable(),
  nextCheckAt: time.nullable(),
  /** Not expired. */
  current: z.boolean(),
})

/** TXT records that prove the request, one in each reverse zone, all with this value. */
const reverseDns = z.object({
  value: z.string(),
  records: z.array(
    z.object({
      name: z.string(),
      /** Null: not checked yet. */
      state: z.enum(REVERSE_DNS_STATES).nullable(),
      dnssec: z.enum(DNSSEC_STATUSES).nullable(),
      /** The record found instead, or why the state is unknown. */
      detail: z.string().nullable(),
    }),
  ),
  checkedAt: time.nullable(),
  nextCheckAt: time.nullable(),
})

const prefixFields = {
  id: z.int(),
  value: z.string(),
  status: z.enum(PREFIX_STATUSES),
  /** Why the prefix has this status, according to staff or the checks. */
  statusReason: z.string().nullable(),
  rpkiStatus: checkStatus,
  irrStatus: checkStatus,
  announcementType: z.enum(ANNOUNCEMENT_TYPES),
  /** The only AS that may originate it; null until one is found for a DOWNSTREAM prefix. */
  originAsn: asn.nullable(),
  downstream: downstream.nullable(),
  /** When it is suspended unless its AS-SET or the agreement of its origin returns; null when nothing is missing. */
  suspendAt: time.nullable(),
  /** When the edge confirmed the filter that contains it; null while the filter does not. */
  importedAt: time.nullable(),
  createdAt: time,
  decidedAt: time.nullable(),
  checkedAt: time.nullable(),
  rpki: rpkiEvidence,
  irr: irrEvidence,
  /** For an approved prefix whose proof broke: what to fix before traffic suffers. */
  attention: z.string().nullable(),
  evidence: z.array(evidence),
  /** Proves the request when the holder puts it into the remarks of the registered block. */
  token: z.string(),
  /** Null: the prefix has too many reverse zones for this proof. */
  reverseDns: reverseDns.nullable(),
  stages: z.array(stage),
}

export const prefix = z.object({ ...prefixFields, allowedActions: z.array(z.enum(['withdraw'])) })

/** The registration of the addresses according to their registry. */
const registration = z.object({
  /** When it last answered; null: not yet. */
  answeredAt: time.nullable(),
  checkedAt: time,
  /** Why the last lookup got no answer. */
  error: z.string().nullable(),
  /** Null in an answer: the addresses are not registered there. */
  handle: z.string().nullable(),
  registry: z.string().nullable(),
  name: z.string().nullable(),
  type: z.string().nullable(),
  /** The status values of the block in RDAP, such as `active` or `pending transfer`. */
  status: z.array(z.string()),
  holder: z.string().nullable(),
  /** A registry's own block, which has no holder. */
  placeholder: z.boolean(),
  registeredAt: time.nullable(),
  changedAt: time.nullable(),
  contacts: z.array(
    z.object({
      email: z.string(),
      roles: z.array(z.string()),
      /** When the domain of the email address was registered. */
      domainRegisteredAt: time.nullable(),
    }),
  ),
})

/** The current requirements for an approval. */
const approval = z.object({
  /** Why nobody can approve it; null when somebody can. */
  blocked: z.string().nullable(),
  /** The rule of the policy that applies. */
  rule: z.string(),
  /** 0: approved automatically once its checks are complete. */
  people: z.int(),
  reasonRequired: z.boolean(),
  /** The issue that the reason has to explain. */
  why: z.string().nullable(),
  /** Approvals that wait for a second one. */
  given: z.array(z.object({ email: z.string(), reason: z.string(), at: time })),
})

/** The basis of the last approval. */
const approvalBasis = z.object({
  rule: z.string(),
  policyVersion: z.int(),
  people: z.array(z.string()),
  evidence: z.array(
    z.object({ kind: z.enum(EVIDENCE_KINDS), source: z.string(), strength: z.enum(STRENGTHS), observedAt: time }),
  ),
})

export const adminPrefix = z.object({
  ...prefixFields,
  registration: registration.nullable(),
  /** Links emailed to registry contacts, newest first; at most 20. */
  contactLinks: z.array(
    z.object({
      id: z.int(),
      purpose: z.enum(LINK_PURPOSES),
      state: z.enum(LINK_STATES),
      email: z.string(),
      roles: z.array(z.string()),
      handle: z.string(),
      sentAt: time,
      /** When an open link, or what it confirmed, expires. */
      expiresAt: time,
      confirmedAt: time.nullable(),
      /** Confirmed while signed in as the customer. */
      byCustomer: z.boolean(),
    }),
  ),
  dnsResolver: z.object({ kind: z.enum(['stub', 'simulated']), server: z.string() }),
  /** It keeps other customers out of its space although it is not approved. */
  proven: z.boolean(),
  /** A decision that takes effect shortly, or that could not. */
  heldDecision: z
    .object({
      action: z.enum(STAFF_ACTIONS),
      reason: z.string().nullable(),
      by: z.string(),
      decidedAt: time,
      effectiveAt: time,
      /** Why it did not take effect. The status is unchanged. */
      failure: z.string().nullable(),
    })
    .nullable(),
  approval,
  approvalBasis: approvalBasis.nullable(),
  allowedActions: z.array(z.enum(STAFF_ACTIONS)),
  decidedBy: z.object({ id: z.int(), email: z.string() }).nullable(),
  user: z.object({ id: z.int(), email: z.string(), firstName: z.string(), lastName: z.string() }),
  asn: asn.nullable(),
  asSet: z.string().nullable(),
  asnVerifiedAt: time.nullable(),
  router: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** Whether the edge has applied the decision: it holds an approved prefix, and has dropped any other. */
  edge: z.object({
    /** The edge that serves the router's site. */
    name: z.string().nullable(),
    loaded: z.boolean(),
    settled: z.boolean(),
    detail: z.string(),
  }),
})

/** Problems with a value that are found without asking any source. */
const CHECK_PROBLEMS = [
  'SYNTAX',
  'RANGE',
  'DUPLICATE',
  'HOST_BITS',
  'BOGON',
  'TOO_LONG',
  'TOO_SHORT',
  'HELD',
  'LIMIT',
  'RATE',
  'ORIGIN',
  'AS_SET',
  'MEMBERSHIP',
  'CONSENT',
] as const

export const checkResult = z.object({
  /** The value as it was submitted. */
  value: z.string(),
  /** Canonical text; null when it is not a prefix. */
  prefix: z.string().nullable(),
  /** Whether a request would be accepted. The checks then decide about it. */
  acceptable: z.boolean(),
  problems: z.array(z.object({ code: z.enum(CHECK_PROBLEMS), message: z.string() })),
  originAsn: asn.nullable(),
  rpkiStatus: checkStatus.nullable(),
  rpki: rpkiEvidence.omit({ lastGood: true }).nullable(),
  irrStatus: checkStatus.nullable(),
  irr: irrEvidence.omit({ lastGood: true }).nullable(),
  downstream: downstream.nullable(),
  remediation: z.array(remediationStep),
})
