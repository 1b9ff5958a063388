/** The strength of a token in reverse DNS: pure. */
import type { DnssecStatus, TxtAnswer } from '../../drivers/dns/index.ts'
import type { Evidence, Strength } from './evidence.ts'

export const REVERSE_DNS_STATES = ['FOUND', 'MISSING', 'UNKNOWN'] as const

/** The last lookup in one zone. */
export interface ReverseDnsRecord {
  readonly zone: string
  /** `UNKNOWN`: the resolver gave no usable answer. That ends nothing. */
  readonly state: (typeof REVERSE_DNS_STATES)[number]
  readonly dnssec: DnssecStatus | null
  /** How many resolvers gave the answer; missing in lookups of an earlier release. */
  readonly resolvers?: number
  /** The record found instead, or why there was no answer; null where the token is present. */
  readonly detail: string | null
}

export function judgeRecord(
  zone: string,
  { records, alias, dnssec, resolvers }: TxtAnswer,
  tokens: readonly string[],
): ReverseDnsRecord {
  if (records.some((text) => tokens.includes(text.trim().toLowerCase())))
    return { zone, state: 'FOUND', dnssec, resolvers, detail: null }
  const detail = alias
    ? 'The name is an alias (CNAME). The TXT record has to be in the reverse zone itself.'
    : records.length > 0
      ? 'There is a TXT record with another value.'
      : 'There is no TXT record yet.'
  return { zone, state: 'MISSING', dnssec, resolvers, detail }
}

/**
 * An answer from an unsigned zone can be forged in transit. But an attacker who forges it at two resolvers for an hour
 * could also read the email of the zone's contacts.
 */
const UNSIGNED_MEDIUM_MS = 3_600_000
/** A zone may move to servers without the record, so its evidence expires this long after it was last seen. */
const GRACE_MS = 30 * 86_400_000

export interface Look {
  readonly records: readonly ReverseDnsRecord[]
  /** Since when every lookup has found the token in every zone. */
  readonly completeSince: Date | null
  readonly at: Date
  readonly nextCheckAt: Date
}

/** Empty unless the token is in every zone: part of the space proves nothing about the rest. */
export function reverseDnsEvidence({ records, completeSince, at, nextCheckAt }: Look): Evidence[] {
  const [first] = records
  if (!first || completeSince === null || records.some(({ state }) => state !== 'FOUND')) return []
  const signed = records.every(({ dnssec }) => dnssec === 'SECURE')
  const long = at.getTime() - completeSince.getTime() >= UNSIGNED_MEDIUM_MS
  const twice = records.every(({ resolvers = 1 }) => resolvers > 1)
  const strength: Strength = signed ? 'strong' : long && twice ? 'medium' : 'weak'
  const where = records.length === 1 ? 'the reverse zone' : `each of ${records.length} reverse zones`
  const how = signed
    ? 'DNSSEC: signed, and the signatures are good.'
    : `DNSSEC: not signed${twice ? '' : '; only one resolver was heard'}${long ? '' : '; it counts once it has been there for an hour'}.`
  return [
    {
      kind: 'reverse_dns',
      source: records.length === 1 ? first.zone : `${first.zone} and ${records.length - 1} more`,
      strength,
      seen: `A TXT record in ${where} has the token. ${how}`,
      observedAt: at,
      expiresAt: new Date(at.getTime() + GRACE_MS),
      nextCheckAt,
    },
  ]
}

/** Returns since when the token has been present without a break. A missing answer is not a break. */
export function completeSince(before: Date | null, records: readonly ReverseDnsRecord[], at: Date): Date | null {
  if (records.some(({ state }) => state === 'MISSING')) return null
  return before ?? (records.every(({ state }) => state === 'FOUND') ? at : null)
}
