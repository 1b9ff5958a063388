/**
 * Decides whether a downstream agrees to this customer as its transit: pure. A ROA, or membership in the customer's
 * AS-SET, does not show that.
 */
import { isAuthoritative, type AsSetObject, type AutNumObject } from '../../drivers/irr/index.ts'
import type { AspaAnswer } from '../../drivers/rpki/index.ts'
import { formatAsn } from '../../kernel/asn.ts'
import type { SetOwnership } from './ownership.ts'

export const CONSENT_KINDS = ['OWN_ASN', 'ASPA', 'MEMBER_OF', 'POLICY', 'MAIL'] as const

export interface Consent {
  /** `REFUSED`: the holder signed an ASPA that names other providers. */
  readonly status: 'AGREED' | 'REFUSED' | 'NONE' | 'UNKNOWN'
  readonly how: (typeof CONSENT_KINDS)[number] | null
  /** The finding, as text. */
  readonly detail: string
}

export interface ConsentQuestion {
  readonly customerAsn: number
  /** The AS that would originate the prefix. */
  readonly origin: number
  readonly aspa: AspaAnswer
  /** The aut-num objects of the origin in registries; null when they did not answer. */
  readonly autNums: readonly AutNumObject[] | null
  readonly set: AsSetObject
  readonly ownership: SetOwnership['status']
  /** Until when the agreement that a registry contact of the origin gave by email is valid; null without one. */
  readonly mailUntil: Date | null
  /** How it agreed at the last check. */
  readonly before: Consent['how']
}

export function judgeConsent(question: ConsentQuestion): Consent {
  const { customerAsn, origin, aspa, autNums, set } = question
  const [customer, downstream] = [formatAsn(customerAsn), formatAsn(origin)]
  const agreed = (how: NonNullable<Consent['how']>, detail: string): Consent => ({ status: 'AGREED', how, detail })
  if (origin === customerAsn) return agreed('OWN_ASN', `${downstream} is the customer’s own ASN`)
  if (aspa.status === 'PROVIDERS') {
    if (aspa.providers.includes(customerAsn)) return agreed('ASPA', `The ASPA of ${downstream} names ${customer}`)
    const named = aspa.providers.length === 0 ? 'says that it has no provider' : `names ${listed(aspa.providers)} only`
    return { status: 'REFUSED', how: null, detail: `The ASPA of ${downstream} ${named}, not ${customer}` }
  }
  const trusted = (autNums ?? []).filter((autNum) => autNum.asn === origin && isAuthoritative(autNum.source))
  const joined = trusted.find((autNum) => isJoined(question, autNum))
  if (joined) return agreed('MEMBER_OF', `${downstream} joined ${set.name} with member-of in ${joined.source}`)
  const named = trusted.find((autNum) => autNum.providers.includes(customerAsn))
  if (named)
    return agreed('POLICY', `The aut-num of ${downstream} in ${named.source} accepts any route from ${customer}`)
  if (question.mailUntil !== null)
    return agreed(
      'MAIL',
      `A registry contact of ${downstream} agreed by mail, until ${question.mailUntil.toISOString().slice(0, 10)}`,
    )
  // Only a source that answered can end an agreement.
  const isUnknown = autNums === null || (aspa.status === 'UNKNOWN' && question.before === 'ASPA')
  return isUnknown
    ? { status: 'UNKNOWN', how: null, detail: `The agreement of ${downstream} could not be looked up` }
    : {
        status: 'NONE',
        how: null,
        detail: `${downstream} does not name ${customer} as its transit in an ASPA or in its aut-num`,
      }
}

/**
 * Returns whether the holder of the ASN wrote `member-of` and the set admits its maintainer (RFC 2622 section 5.1). In
 * a set of somebody else, that would be an agreement with them.
 */
const isJoined = ({ set, ownership }: ConsentQuestion, autNum: AutNumObject): boolean =>
  ownership === 'OWN' &&
  autNum.source === set.source &&
  autNum.memberOf.includes(set.name) &&
  set.membersByRef.some((allowed) => allowed === 'ANY' || autNum.maintainers.includes(allowed))

const listed = (asns: readonly number[]): string =>
  [...asns.slice(0, 5).map(formatAsn), ...(asns.length > 5 ? [`${asns.length - 5} more`] : [])].join(', ')
