/** Why a request for a prefix may be believed: the kinds of evidence and how far each goes. Pure. */
import type { AsnTrust } from '../../accounts/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import type { CheckResults } from '../prefixes/checks/check-results.ts'
import type { AnnouncementType } from '../states.ts'

/** `rsc` (RFC 9323) is reserved: no registry portal issues it to customers, and nothing here validates it. */
export const EVIDENCE_KINDS = [
  'roa',
  'route_object',
  'rdap_holder',
  'rdap_contact',
  'reverse_dns',
  'inetnum_remark',
  'rsc',
] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** `weak` is a hint for staff and lowers no demand; `contradicts` speaks against the request. */
export const STRENGTHS = ['strong', 'medium', 'weak', 'contradicts'] as const
export type Strength = (typeof STRENGTHS)[number]

export interface Evidence {
  readonly kind: EvidenceKind
  /** Where it was seen: a registry, an IRR source, a DNS zone. One row per kind and source. */
  readonly source: string
  readonly strength: Strength
  readonly seen: string
  readonly observedAt: Date
  /** Null: valid until its source says otherwise. */
  readonly expiresAt: Date | null
  readonly nextCheckAt: Date | null
}

export const isCurrent = ({ expiresAt }: Pick<Evidence, 'expiresAt'>, now: Date): boolean =>
  expiresAt === null || expiresAt > now

/** What speaks against a request outweighs all that speaks for it. */
const WEIGHT: readonly Strength[] = ['contradicts', 'strong', 'medium', 'weak']

/** The evidence that counts most and has not expired; null for none. */
export const strongestOf = (evidence: readonly Evidence[], now: Date): Evidence | null =>
  evidence
    .filter((one) => isCurrent(one, now))
    .toSorted((a, b) => WEIGHT.indexOf(a.strength) - WEIGHT.indexOf(b.strength))[0] ?? null

/** How far it goes. */
export const strongest = (evidence: readonly Evidence[], now: Date): Strength | null =>
  strongestOf(evidence, now)?.strength ?? null

/** Kinds that say that the customer speaks for the space, whichever AS originates it. */
const NAMES_THE_CUSTOMER: ReadonlySet<EvidenceKind> = new Set(['rdap_contact', 'reverse_dns', 'inetnum_remark'])

/**
 * Whether a request closes its space to other customers before staff approve it. A ROA for another AS than the
 * customer's own says nothing about who the customer is: anybody can name a stranger's AS as a downstream.
 */
export const isProven = (type: AnnouncementType, evidence: readonly Evidence[], now: Date): boolean =>
  strongest(evidence, now) === 'strong' &&
  evidence.some(
    (one) =>
      one.strength === 'strong' && isCurrent(one, now) && (type === 'ORIGIN' || NAMES_THE_CUSTOMER.has(one.kind)),
  )

/** Registries that check the holder of the space before they take a route object. Others take it from anybody. */
const AUTHORITATIVE_SOURCES: ReadonlySet<string> = new Set(['RIPE', 'ARIN', 'APNIC', 'AFRINIC', 'LACNIC'])

/** A route object outlives its last sighting by this, so that a registry's bad night ends no evidence. */
const ROUTE_OBJECT_GRACE_MS = 7 * 86_400_000

export interface CheckedRequest {
  readonly type: AnnouncementType
  /** Of the customer: the origin of an ORIGIN prefix proves nothing while the ASN is not verified. */
  readonly asn: AsnTrust | null
  readonly prefix: string
}

/** What the checks of RPKI and IRR are worth as evidence; null where the source did not answer: what was seen before stays. */
export function evidenceFromChecks(
  request: CheckedRequest,
  { origin, rpki, irr }: CheckResults,
  { at, nextCheckAt }: { at: Date; nextCheckAt: Date },
): { readonly roa: Evidence[] | null; readonly route_object: Evidence[] | null } {
  if (origin === null) return { roa: [], route_object: [] }
  const worth = (strength: 'strong' | 'medium'): Strength => {
    // One person who was talked into an ASN must not have decided about all of its space as well.
    if (request.type === 'ORIGIN')
      return request.asn === null ? 'weak' : request.asn === 'vouched' ? 'medium' : strength
    // Of a downstream it says what the holder wants, not that this customer is meant. For STATIC it names the operator.
    return request.type === 'DOWNSTREAM' ? 'medium' : 'weak'
  }
  const vouched =
    request.type === 'ORIGIN' && request.asn === 'vouched'
      ? ' That the ASN is the customer’s is the word of staff.'
      : ''
  const matched = rpki.vrps.find((vrp) => vrp.matched)
  const ofRoa = (strength: Strength, seen: string): Evidence[] => [
    { kind: 'roa', source: 'RPKI', strength, seen, observedAt: at, expiresAt: null, nextCheckAt },
  ]
  const roa =
    rpki.status === 'UNKNOWN'
      ? null
      : rpki.status === 'INVALID'
        ? ofRoa('contradicts', `No ROA covering ${request.prefix} authorizes ${formatAsn(origin)} at this length.`)
        : matched
          ? ofRoa(
              worth('strong'),
              `ROA for ${formatAsn(matched.asn)}, ${matched.prefix}, maxLength ${matched.maxLength}.${vouched}`,
            )
          : []
  const exact = irr.objects.filter((object) => object.exact && object.origin === origin)
  const sources = [...new Set(exact.map(({ source }) => source.toUpperCase()))]
  const route_object =
    irr.status === 'UNKNOWN'
      ? null
      : sources.map((source): Evidence => ({
          kind: 'route_object',
          source,
          strength: AUTHORITATIVE_SOURCES.has(source) ? worth('medium') : 'weak',
          seen: `Route object for ${request.prefix} with origin ${formatAsn(origin)}.`,
          observedAt: at,
          expiresAt: new Date(at.getTime() + ROUTE_OBJECT_GRACE_MS),
          nextCheckAt,
        }))
  return { roa, route_object }
}
