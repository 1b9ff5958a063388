/** Computes what an approval of a prefix requires now: pure. The server enforces it, and the screens show it. */
import { formatPrefix, type Prefix } from '../../kernel/prefix.ts'
import { isDownstreamUnknown } from '../downstreams/evidence.ts'
import { blockingIssue, isIncomplete, type CheckResults } from '../prefixes/checks/check-results.ts'
import { afterAction, type PrefixStatus } from '../states.ts'
import type { Evidence } from './evidence.ts'
import { evaluatePolicy, type Policy, type PolicyOutcome } from './policy.ts'

export interface ApprovalFacts {
  readonly status: PrefixStatus
  readonly asnChanged: boolean
  readonly asnVerified: boolean
  readonly prefix: Prefix
  readonly checkResults: CheckResults
  readonly evidence: readonly Evidence[]
  /** An approved or proven prefix of another customer shares space with it. */
  readonly heldByAnother: boolean
  readonly established: boolean
  readonly now: Date
}

export interface Approval extends PolicyOutcome {
  /** Why nobody can approve it now, including its status; null when somebody can. */
  readonly blocked: string | null
  /** The issue that the reason has to explain; null when none is needed. */
  readonly why: string | null
  readonly unknown: boolean
}

export function assessApproval(policy: Policy, facts: ApprovalFacts): Approval {
  const { checkResults, prefix } = facts
  const issue = blockingIssue(checkResults, formatPrefix(prefix))
  const unknown = isIncomplete(checkResults)
  const outcome = evaluatePolicy(policy, {
    family: prefix.family,
    length: prefix.length,
    evidence: facts.evidence,
    established: facts.established,
    unknown,
    issue: issue !== null,
    now: facts.now,
  })
  const why = !outcome.reason
    ? null
    : (issue ??
      (unknown ? describeSilence(checkResults) : 'nothing proves that the customer may announce this prefix.'))
  return { ...outcome, unknown, why, blocked: blockedReason(facts, issue) }
}

function blockedReason(facts: ApprovalFacts, issue: string | null): string | null {
  const { status, checkResults } = facts
  if (!afterAction('approve', status)) return `It is ${status}.`
  if (!facts.asnVerified) return `It is ${status}, and this customer’s ASN is not verified.`
  if (facts.asnChanged) return 'It is SUSPENDED and will be checked for the new ASN. Decide after that.'
  if (checkResults.origin === null) {
    return `It is ${status}, and its origin AS is unknown. The customer has to enter one.`
  }
  if (checkResults.rpki.status === 'INVALID') return `It is ${status}: ${issue} The edge would reject it.`
  if (checkResults.downstream?.consent?.status === 'REFUSED') return `It is ${status}: ${issue}`
  if (facts.heldByAnother) {
    return `It is ${status}, and another customer’s approved or proven prefix shares its address space.`
  }
  return null
}

function describeSilence(checkResults: CheckResults): string {
  const { rpki, irr } = checkResults
  const silent = [
    ...(rpki.status === 'UNKNOWN' ? ['RPKI'] : []),
    ...(irr.status === 'UNKNOWN' ? ['the IRR'] : []),
    ...(isDownstreamUnknown(checkResults) ? ['the AS-SET'] : []),
  ]
  return `${silent.join(' and ')} could not be checked.`
}
