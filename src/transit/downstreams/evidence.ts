/** The evidence about a downstream prefix beyond RPKI and route objects, and the issues that keep it from being accepted: pure. */
import { formatAsn } from '../../kernel/asn.ts'
import type { Membership } from '../states.ts'
import type { Consent } from './consent.ts'
import type { SetOwnership } from './ownership.ts'

/** Stored with the prefix in this form. */
export interface DownstreamEvidence {
  readonly set: SetOwnership & {
    /** With its registry as a prefix where it was found. */
    readonly name: string
    readonly source: string | null
    readonly maintainers: readonly string[]
    /** Registries that each have a set of this name, when the name does not say which is meant. */
    readonly ambiguous: readonly string[]
  }
  /** The path by which the origin is in the set; null when it is not a member. */
  readonly member: { readonly path: readonly string[]; readonly weak: boolean } | null
  /** Null without an origin or a set. */
  readonly consent: Consent | null
}

export const DOWNSTREAM_ISSUES = [
  'REFUSED',
  'NO_SET',
  'SET_NOT_OWN',
  'NOT_MEMBER',
  'WEAK_MEMBER',
  'NO_CONSENT',
] as const
export type DownstreamIssueKind = (typeof DOWNSTREAM_ISSUES)[number]

export interface DownstreamIssue {
  readonly kind: DownstreamIssueKind
  readonly text: string
}

export interface DownstreamFindings {
  readonly origin: number | null
  readonly membership: Membership
  /** Null when the prefix has no downstream or was not checked yet. */
  readonly downstream: DownstreamEvidence | null
}

/** Returns all issues of a downstream prefix, the worst first. Unknowns are not issues: see {@link isDownstreamUnknown}. */
export function downstreamIssues(
  { origin, membership, downstream }: DownstreamFindings,
  prefix: string,
): DownstreamIssue[] {
  if (membership === 'NOT_NEEDED') return []
  const issues: DownstreamIssue[] = []
  const add = (kind: DownstreamIssueKind, text: string): unknown => issues.push({ kind, text })
  const consent = downstream?.consent
  if (consent?.status === 'REFUSED') add('REFUSED', `${consent.detail}.`)
  const several = downstream?.set.ambiguous ?? []
  if (several.length > 0)
    add(
      'NO_SET',
      `${several.join(' and ')} each have an AS-SET ${downstream!.set.name}: write ${several[0]}::${downstream!.set.name}.`,
    )
  else if (membership === 'NO_SET') add('NO_SET', 'A downstream prefix needs an AS-SET that exists in a registry.')
  if (several.length === 0 && downstream?.set.status === 'NOT_OWN') add('SET_NOT_OWN', notOwn(downstream.set))
  if (membership === 'NOT_MEMBER')
    add(
      'NOT_MEMBER',
      origin === null
        ? `No AS in the AS-SET has a ROA or route object for ${prefix}.`
        : `${formatAsn(origin)} is not in the AS-SET.`,
    )
  // The member's own statement in an authoritative source makes up for the weak path by which it was found.
  if (downstream?.member?.weak && consent?.how === 'POLICY')
    add(
      'WEAK_MEMBER',
      `${formatAsn(origin!)} is in the AS-SET only through ${weakest(downstream.member.path)}, which anyone can write to.`,
    )
  if (consent?.status === 'NONE') add('NO_CONSENT', `${consent.detail}.`)
  return issues
}

const notOwn = ({ name, maintainers }: DownstreamEvidence['set']): string =>
  `The AS-SET ${name} does not belong to this account: it is maintained by ${maintainers.length > 0 ? maintainers.slice(0, 3).join(', ') : 'no named maintainer'}.`

const weakest = (path: readonly string[]): string =>
  path.find((step) => !/^(?:AFRINIC|APNIC|ARIN|LACNIC|RIPE)::/.test(step)) ?? path.at(-1)!

/** Returns whether something could not be looked up, which counts neither for nor against the prefix. */
export const isDownstreamUnknown = ({ membership, downstream }: DownstreamFindings): boolean =>
  membership === 'UNKNOWN' ||
  (membership !== 'NOT_NEEDED' &&
    downstream !== null &&
    (downstream.set.status === 'UNKNOWN' || downstream.consent?.status === 'UNKNOWN'))

/** Returns the issues of an approved prefix that staff did not accept when they approved it. */
export const lostIssues = (findings: DownstreamFindings, accepted: readonly DownstreamIssueKind[]): DownstreamIssue[] =>
  downstreamIssues(findings, '').filter((issue) => issue.kind === 'REFUSED' || !accepted.includes(issue.kind))
