/** The operator's rules for approvals: which evidence needs how many people. Pure. */
import { strongest, type Evidence } from './evidence.ts'

/** The least evidence that a rule wants. `none` fits every request. */
export const RULE_EVIDENCE = ['strong', 'medium', 'none'] as const

export interface PolicyRule {
  readonly name: string
  /** Null: both. */
  readonly family: 4 | 6 | null
  /** Fits prefixes shorter than this length only; null: any. */
  readonly shorterThan: number | null
  readonly evidence: (typeof RULE_EVIDENCE)[number]
  /** 0 is an approval without staff. */
  readonly people: 0 | 1 | 2
  readonly reason: boolean
}

export interface Policy {
  readonly version: number
  /** Off: rules that need nobody need one person. */
  readonly automatic: boolean
  /** Off: rules that need two people need one. */
  readonly twoPerson: boolean
  /** Only an account with an approved prefix, and an ASN verified for this long, is approved automatically. */
  readonly establishedDays: number
  /** Older check results are refreshed before an approval. */
  readonly checkAgeMinutes: number
  /** Requests of one account that are neither decided nor proven. */
  readonly openRequests: number
  readonly requestsPerHour: number
  /** Requested and approved, of an account without a quota of its own. */
  readonly prefixesPerAccount: number
  /** The shortest prefix length that customers may request. */
  readonly shortest4: number
  readonly shortest6: number
  readonly rules: readonly PolicyRule[]
}

export interface PolicyFacts {
  readonly family: 4 | 6
  readonly length: number
  readonly evidence: readonly Evidence[]
  readonly established: boolean
  /** A source did not answer: nobody may decide alone, and nothing is decided automatically. */
  readonly unknown: boolean
  /** What the checks found against the request, though not against its approval. */
  readonly issue: boolean
  readonly now: Date
}

export interface PolicyOutcome {
  /** The rule's name, or what took precedence over every rule. */
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

/** A table without a rule that fits is a gap, not a permission. */
const NO_RULE: PolicyOutcome = { rule: 'No rule fits', people: 2, reason: true }

/** What an approval of this request takes. Anything that contradicts it is refused before this is asked. */
export function evaluatePolicy(policy: Policy, facts: PolicyFacts): PolicyOutcome {
  // An outage needs two people whatever the switch says: it ends soon, and what it hides may be somebody's signed no.
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
