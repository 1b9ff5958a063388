/** The operator's approval rules: which evidence needs approvals from how many people. Pure. */
import { strongest, type Evidence } from './evidence.ts'

/** The weakest evidence that a rule accepts. `none` matches every request. */
export const RULE_EVIDENCE = ['strong', 'medium', 'none'] as const

export interface PolicyRule {
  readonly name: string
  /** Null: both families. */
  readonly family: 4 | 6 | null
  /** Matches only prefixes shorter than this length; null: any. */
  readonly shorterThan: number | null
  readonly evidence: (typeof RULE_EVIDENCE)[number]
  /** 0: approved without staff. */
  readonly people: 0 | 1 | 2
  readonly reason: boolean
}

export interface Policy {
  readonly version: number
  /** Off: rules that need 0 people need one. */
  readonly automatic: boolean
  /** Off: rules that need two people need one. */
  readonly twoPerson: boolean
  /** Automatic approval requires an approved prefix in the account and an ASN verified for this many days. */
  readonly establishedDays: number
  /** Older check results are refreshed before an approval. */
  readonly checkAgeMinutes: number
  /** The limit for requests of one account that are neither decided nor proven. */
  readonly openRequests: number
  readonly requestsPerHour: number
  /** The limit for requested and approved prefixes of an account without its own quota. */
  readonly prefixesPerAccount: number
  /** The shortest prefix lengths that customers may request. */
  readonly shortest4: number
  readonly shortest6: number
  readonly rules: readonly PolicyRule[]
}

export interface PolicyFacts {
  readonly family: 4 | 6
  readonly length: number
  readonly evidence: readonly Evidence[]
  readonly established: boolean
  /** A source did not answer: nobody may decide alone, and nothing is approved automatically. */
  readonly unknown: boolean
  /** The checks found an issue with the request that does not block its approval. */
  readonly issue: boolean
  readonly now: Date
}

export interface PolicyOutcome {
  /** The rule's name, or what overrode every rule. */
  readonly rule: string
  readonly people: 0 | 1 | 2
  readonly reason: boolean
}

const fits = (rule: PolicyRule, { family, length, evidence, now }: PolicyFacts): boolean => {
  if (rule.family !== null && rule.family !== family) return false
  if (rule.shorterThan !== null && length >= rule.shorterThan) return false
  const best = strongest(evidence, now)
  if (rule.evidence === 'none') return true
  return best === 'strong' || (best === 'medium' && rule.evidence === 'medium')
}

/** No matching rule is a gap, not a permission. */
const NO_RULE: PolicyOutcome = { rule: 'No rule fits', people: 2, reason: true }

/** Returns what an approval of this request requires. A contradicted request is denied before this is called. */
export function evaluatePolicy(policy: Policy, facts: PolicyFacts): PolicyOutcome {
  // An outage requires two people whatever `twoPerson` says. It ends soon, and it may hide a holder's signed objection.
  if (facts.unknown) return { rule: 'A source did not answer', people: 2, reason: true }
  const rule = policy.rules.find((one) => fits(one, facts)) ?? null
  const outcome = rule ? { rule: rule.name, people: rule.people, reason: rule.reason } : NO_RULE
  const people =
    outcome.people === 2 || facts.issue
      ? policy.twoPerson
        ? 2
        : 1
      : outcome.people === 0 && policy.automatic && facts.established
        ? 0
        : 1
  return { rule: outcome.rule, people, reason: outcome.reason || facts.issue }
}
