/** The kinds of evidence for a request for a prefix, and the strength of each. Pure. */
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

/** `weak` is a hint for staff and lowers no requirement. `contradicts` counts against the request. */
export const STRENGTHS = ['strong', 'medium', 'weak', 'contradicts'] as const
export type Strength = (typeof STRENGTHS)[number]

export interface Evidence {
  readonly kind: EvidenceKind
  /** A registry, an IRR source or a DNS zone. One row per kind and source. */
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

/** Evidence against a request outweighs all evidence for it. */
const WEIGHT: readonly Strength[] = ['contradicts', 'strong', 'medium', 'weak']

/** The unexpired evidence that counts most; null without any. */
export const strongestOf = (evidence: readonly Evidence[], now: Date): Evidence | null =>
  evidence
    .filter((one) => isCurrent(one, now))
    .toSorted((a, b) => WEIGHT.indexOf(a.strength) - WEIGHT.indexOf(b.strength))[0] ?? null

/** The strength of that evidence. */
export const strongest = (evidence: readonly Evidence[], now: Date): Strength | null =>
  strongestOf(evidence, now)?.strength ?? null

/** Kinds that show that the customer speaks for the space, whichever AS originates it. */
const NAMES_THE_CUSTOMER: ReadonlySet<EvidenceKind> = new Set(['rdap_contact', 'reverse_dns', 'inetnum_remark'])

/**
 * Returns whether a request closes its space to other customers before staff approve it. A ROA for an AS other than the
 * customer's says nothing about the customer: anybody can name a stranger's AS as a downstream.
 */
export const isProven = (type: AnnouncementType, evidence: readonly Evidence[], now: Date): boolean =>
  strongest(evidence, now) === 'strong' &&
  evidence.some(
    (one) =>
      one.strength === 'strong' && isCurrent(one, now) && (type === 'ORIGIN' || NAMES_THE_CUSTOMER.has(one.kind)),
  )

/** Registries that verify the holder of the space before they accept a route object. Others accept it from anybody. */
const AUTHORITATIVE_SOURCES: ReadonlySet<string> = new Set(['RIPE', 'ARIN', 'APNIC', 'AFRINIC', 'LACNIC'])

/** How long a route object counts after it was last seen, so that a registry outage ends no evidence. */
const ROUTE_OBJECT_GRACE_MS = 7 * 86_400_000

export interface CheckedRequest {
  readonly type: AnnouncementType
  /** The trust in the customer's ASN. While the ASN is not verified, the origin of an ORIGIN prefix proves nothing. */
  readonly asn: AsnTrust | null
  readonly prefix: string
}

/** Converts the check results of RPKI and IRR to evidence. Null where the source did not answer: earlier evidence stays. */
export function evidenceFromChecks(
  request: CheckedRequest,
  { origin, rpki, irr }: CheckResults,
  { at, nextCheckAt }: { at: Date; nextCheckAt: Date },
): { readonly roa: Evidence[] | null; readonly route_object: Evidence[] | null } {
  if (origin === null) return { roa: [], route_object: [] }
  const worth = (strength: 'strong' | 'medium'): Strength => {
    // One member of staff who was deceived about an ASN must not thereby have decided about all of its space.
    if (request.type === 'ORIGIN')
      return request.asn === null ? 'weak' : request.asn === 'vouched' ? 'medium' : strength
    // For a downstream, it shows what the holder wants, not that this customer is meant. For STATIC, it names the operator.
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
