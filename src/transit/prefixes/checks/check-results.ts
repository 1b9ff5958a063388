/** The RPKI and IRR results for one prefix and origin, and their consequences: pure. */
import type { RpkiValidation } from '../../../drivers/rpki/index.ts'
import type { RouteObject } from '../../../drivers/irr/index.ts'
import { formatAsn } from '../../../kernel/asn.ts'
import {
  downstreamIssues,
  isDownstreamUnknown,
  type DownstreamEvidence,
  type DownstreamIssueKind,
} from '../../downstreams/evidence.ts'
import type { CheckStatus, Membership, PrefixAction, PrefixStatus } from '../../states.ts'
import { afterAction } from '../../states.ts'

export interface IrrEvaluation {
  readonly status: CheckStatus
  /** Objects for exactly the prefix first, then for less specific ones, the longest first; at most 50. */
  readonly objects: readonly (RouteObject & { readonly exact: boolean })[]
  /** When the IRR answered; null when it did not. */
  readonly asOf: Date | null
}

export interface CheckResults {
  /** Null when no AS was found that may originate a DOWNSTREAM prefix. */
  readonly origin: number | null
  readonly membership: Membership
  readonly rpki: RpkiValidation
  readonly irr: IrrEvaluation
  /** Null for every other type, and while the AS-SET is unknown. */
  readonly downstream: DownstreamEvidence | null
}

export const NOTHING_KNOWN_RPKI: RpkiValidation = { status: 'UNKNOWN', reason: null, vrps: [], asOf: null }
export const NOTHING_KNOWN_IRR: IrrEvaluation = { status: 'UNKNOWN', objects: [], asOf: null }

const MAX_OBJECTS = 50

/**
 * VALID requires an object for exactly this prefix with this origin. Other networks build exact filters from the IRR,
 * so a covering object would pass here and be dropped there. A covering object alone is NOT_FOUND, shown as evidence.
 * INVALID: objects for exactly this prefix exist, and all name other origins.
 */
export function evaluateRouteObjects(
  objects: readonly RouteObject[],
  prefix: string,
  origin: number | null,
  asOf: Date,
): IrrEvaluation {
  const marked = objects.map((object) => ({ ...object, exact: object.prefix === prefix }))
  const exact = marked.filter((object) => object.exact)
  const status: CheckStatus =
    exact.length === 0 ? 'NOT_FOUND' : exact.some((object) => object.origin === origin) ? 'VALID' : 'INVALID'
  const lengthOf = (object: RouteObject): number => Number(object.prefix.split('/')[1])
  const kept = marked.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_OBJECTS)
  return { status: origin === null && status === 'INVALID' ? 'UNKNOWN' : status, objects: kept, asOf }
}

/**
 * Returns what the customer has to fix before staff should look, or null. Staff weigh `NOT_FOUND` and `UNKNOWN`: much
 * legitimate space has no ROA, and an outage of a source must never count against a customer.
 */
export function blockingIssue(
  checkResults: CheckResults,
  prefix: string,
  accepted: readonly DownstreamIssueKind[] = [],
): string | null {
  const { origin, rpki, irr } = checkResults
  const issues = downstreamIssues(checkResults, prefix).filter(({ kind }) => !accepted.includes(kind))
  if (issues.length > 0) return issues.map(({ text }) => text).join(' ')
  if (rpki.status === 'INVALID') {
    return rpki.reason === 'LENGTH'
      ? `RPKI Invalid: ${prefix} is more specific than the maxLength of the ROA for ${formatAsn(origin!)}.`
      : `RPKI Invalid: the ROAs covering ${prefix} do not authorize ${formatAsn(origin!)}.`
  }
  if (irr.status === 'INVALID') return `The route objects for ${prefix} do not list ${formatAsn(origin!)} as origin.`
  return null
}

/** A source did not answer, so no earlier issue may count as fixed. */
export const isIncomplete = (checkResults: CheckResults): boolean =>
  checkResults.rpki.status === 'UNKNOWN' || checkResults.irr.status === 'UNKNOWN' || isDownstreamUnknown(checkResults)

/**
 * Returns how the check changes the status; null for no change. A check never drops an approved prefix, it only flags
 * it. The exception is a prefix approved before the source that now contradicts it had answered.
 */
export function actionAfterCheck(
  { status, approved_unknown }: { readonly status: PrefixStatus; readonly approved_unknown: boolean },
  issue: string | null,
  checkResults: CheckResults,
): PrefixAction | null {
  if (issue === null && isIncomplete(checkResults)) return null
  if (issue !== null && approved_unknown && status === 'APPROVED') return 'refute'
  const action = issue === null ? 'recheck_passed' : 'request_changes'
  return afterAction(action, status) ? action : null
}

/** The facts that decide which AS must originate the prefix. */
export interface OriginQuestion {
  readonly type: 'ORIGIN' | 'DOWNSTREAM' | 'STATIC'
  readonly customerAsn: number | null
  readonly operatorAsn: number
  /** The origin that the customer named in the request. */
  readonly requested: number | null
  /** Null: no AS-SET, or none that a registry has. */
  readonly asSet: { readonly asns: ReadonlySet<number>; readonly complete: boolean } | 'unknown' | null
  readonly vrpOrigins: readonly number[]
  readonly irrOrigins: readonly number[]
}

/**
 * STATIC routes start at the operator's edge, so their origin is the operator's ASN, which others see and a ROA has to
 * name. DOWNSTREAM without a named origin takes a member: one that both ROA and route object name, else one in a ROA,
 * else one in a route object. Of several it is the lowest, so that the same facts give the same answer.
 */
export function resolveOrigin(question: OriginQuestion): { origin: number | null; membership: Membership } {
  const { type, requested, asSet, vrpOrigins, irrOrigins } = question
  if (type === 'ORIGIN') return { origin: question.customerAsn, membership: 'NOT_NEEDED' }
  if (type === 'STATIC') return { origin: question.operatorAsn, membership: 'NOT_NEEDED' }
  if (asSet === null) return { origin: requested, membership: 'NO_SET' }
  if (asSet === 'unknown') return { origin: requested, membership: 'UNKNOWN' }
  const absent: Membership = asSet.complete ? 'NOT_MEMBER' : 'UNKNOWN'
  if (requested !== null) return { origin: requested, membership: asSet.asns.has(requested) ? 'MEMBER' : absent }
  const members = (origins: readonly number[]): number[] =>
    origins.filter((asn) => asSet.asns.has(asn)).toSorted((a, b) => a - b)
  const inIrr = new Set(irrOrigins)
  const signed = members(vrpOrigins)
  const origin = signed.find((asn) => inIrr.has(asn)) ?? signed[0] ?? members(irrOrigins)[0]
  return origin === undefined ? { origin: null, membership: absent } : { origin, membership: 'MEMBER' }
}
