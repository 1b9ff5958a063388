/** Screen labels for prefixes and connections. */
import type { Tone } from '../../ui/components/StatusBadge.tsx'
import type { AdminTransitPrefix, CheckResult, TransitPrefix } from '../contract.ts'
import type { EvidenceKind, Strength } from '../evidence/evidence.ts'
import {
  ANNOUNCEMENT_TYPES,
  LACK_TEXT,
  type AnnouncementType,
  type CheckStatus,
  type EdgeLack,
  type EXPORTS,
  type LoaState,
  type PrefixStatus,
  type StageName,
} from '../states.ts'

interface Badge {
  readonly tone: Tone
  readonly label: string
}

export const STATUS_BADGE: Readonly<Record<PrefixStatus, Badge>> = {
  PENDING: { tone: 'waiting', label: 'Pending' },
  NEEDS_ACTION: { tone: 'warn', label: 'Needs action' },
  APPROVED: { tone: 'ok', label: 'Approved' },
  REJECTED: { tone: 'bad', label: 'Rejected' },
  SUSPENDED: { tone: 'warn', label: 'Suspended' },
  WITHDRAWN: { tone: 'off', label: 'Withdrawn' },
}

export const CHECK_BADGE: Readonly<Record<CheckStatus, Badge>> = {
  VALID: { tone: 'ok', label: 'Valid' },
  INVALID: { tone: 'bad', label: 'Invalid' },
  NOT_FOUND: { tone: 'warn', label: 'Not found' },
  UNKNOWN: { tone: 'unknown', label: 'Unknown' },
}

type Downstream = NonNullable<CheckResult['downstream']>

export const OWNERSHIP_BADGE: Readonly<Record<Downstream['set']['ownership'], Badge>> = {
  OWN: { tone: 'ok', label: 'Customer’s own' },
  NOT_OWN: { tone: 'bad', label: 'Not the customer’s' },
  UNKNOWN: { tone: 'unknown', label: 'Owner unknown' },
}

export const CONSENT_BADGE: Readonly<Record<NonNullable<Downstream['consent']>['status'], Badge>> = {
  AGREED: { tone: 'ok', label: 'Agreed' },
  REFUSED: { tone: 'bad', label: 'Refused' },
  NONE: { tone: 'warn', label: 'None' },
  UNKNOWN: { tone: 'unknown', label: 'Unknown' },
}

export const EVIDENCE_LABELS: Readonly<Record<EvidenceKind, string>> = {
  roa: 'ROA',
  route_object: 'Route object',
  rdap_holder: 'Registered holder',
  rdap_contact: 'Registry contact',
  reverse_dns: 'Reverse DNS token',
  inetnum_remark: 'Registry remark',
  rsc: 'RSC',
}

export const STRENGTH_BADGE: Readonly<Record<Strength, Badge>> = {
  strong: { tone: 'ok', label: 'Strong' },
  medium: { tone: 'ok', label: 'Medium' },
  weak: { tone: 'warn', label: 'Weak' },
  contradicts: { tone: 'bad', label: 'Contradicts' },
}

export const STAGE_LABELS: Readonly<Record<StageName, string>> = {
  requested: 'Requested',
  rpki: 'RPKI',
  irr: 'IRR',
  staff: 'Staff',
  filter: 'Filter loaded',
  received: 'Received',
  accepted: 'Accepted',
  exported: 'Exported',
}

export const ANNOUNCEMENT_LABELS: Readonly<
  Record<AnnouncementType, { readonly label: string; readonly detail: string }>
> = {
  ORIGIN: { label: 'From my ASN', detail: 'Your router originates it' },
  DOWNSTREAM: { label: 'From a downstream customer', detail: 'An ASN in your AS-SET originates it' },
  STATIC: { label: 'From our edge', detail: 'We originate it and route it to your router' },
}

/** Excludes what the customer's edge cannot do. */
export const announcementChoices = (lacks: readonly EdgeLack[]) =>
  ANNOUNCEMENT_TYPES.map((value) => ({
    value,
    label: ANNOUNCEMENT_LABELS[value].label,
    disabled: value === 'STATIC' && lacks.includes('statics'),
  }))

export const announcementHint = (type: AnnouncementType, lacks: readonly EdgeLack[], more = ''): string =>
  `${ANNOUNCEMENT_LABELS[type].detail}${more}.${lacks.includes('statics') ? ` ${LACK_TEXT.statics}` : ''}`

/** The same labels on staff pages about a customer. */
export const TYPE_LABELS: Readonly<Record<AnnouncementType, string>> = {
  ORIGIN: 'Own ASN',
  DOWNSTREAM: 'Downstream',
  STATIC: 'Our edge',
}

/** The routes that our edge announces to the customer's router. */
export const EXPORTS_LABELS: Readonly<
  Record<(typeof EXPORTS)[number], { readonly label: string; readonly detail: string }>
> = {
  default: {
    label: 'Default route',
    detail: 'Enough for a single upstream. Uses little memory. A change to or from it can restart both sessions.',
  },
  full: { label: 'Full table', detail: 'All Internet routes. For multiple upstreams; needs a larger plan.' },
  'default-and-full': { label: 'Both', detail: 'The full table plus a default route.' },
}

type ReverseDnsRecord = NonNullable<TransitPrefix['reverseDns']>['records'][number]

export const REVERSE_DNS_BADGE: Readonly<Record<NonNullable<ReverseDnsRecord['state']>, Badge>> = {
  FOUND: { tone: 'ok', label: 'Found' },
  MISSING: { tone: 'waiting', label: 'Missing' },
  UNKNOWN: { tone: 'unknown', label: 'Unknown' },
}

export const DNSSEC_LABELS: Readonly<Record<NonNullable<ReverseDnsRecord['dnssec']>, string>> = {
  SECURE: 'signed',
  INSECURE: 'not signed',
  UNCHECKED: 'not checked',
}

type ContactLink = AdminTransitPrefix['contactLinks'][number]

export const LINK_BADGE: Readonly<Record<ContactLink['state'], Badge>> = {
  OPEN: { tone: 'waiting', label: 'Sent' },
  CONFIRMED: { tone: 'ok', label: 'Confirmed' },
  EXPIRED: { tone: 'warn', label: 'Expired' },
  ENDED: { tone: 'off', label: 'Ended' },
}

export const LOA_BADGE: Readonly<Record<LoaState, Badge>> = {
  VALID: { tone: 'ok', label: 'Valid' },
  UNAPPROVED: { tone: 'warn', label: 'Prefix not approved' },
  VOID: { tone: 'warn', label: 'Not in effect' },
  EXPIRED: { tone: 'off', label: 'Expired' },
  REVOKED: { tone: 'bad', label: 'Revoked' },
}

export const LINK_PURPOSE_LABELS: Readonly<Record<ContactLink['purpose'], string>> = {
  SPACE: 'Holder of the addresses',
  DOWNSTREAM: 'Downstream network',
}
