/** TXT records, as the configured resolvers answer for them. They alone are asked: the name in question never chooses a server. */

/**
 * The DNSSEC result of the resolver (RFC 4035 section 3.2.3). `SECURE`: it checked them. `INSECURE`: the zone is not
 * signed, or the resolver does not check. `UNCHECKED`: the resolver is on another machine, where anybody on the way could
 * have set the bit.
 */
export const DNSSEC_STATUSES = ['SECURE', 'INSECURE', 'UNCHECKED'] as const
export type DnssecStatus = (typeof DNSSEC_STATUSES)[number]

export interface TxtAnswer {
  /** The TXT records of this name, the strings of each joined; at most {@link MAX_RECORDS}. */
  readonly records: readonly string[]
  /** The name is an alias (CNAME). It is not followed: what it leads to is in another zone. */
  readonly alias: boolean
  readonly dnssec: DnssecStatus
  /** How many resolvers, at different addresses, gave these records. Signatures that are good need one. */
  readonly resolvers: number
}

export const MAX_RECORDS = 20

export interface TxtResolver {
  readonly kind: 'stub' | 'simulated'
  /** The resolver, shown to staff. */
  readonly server: string
  /** Throws {@link DnsError} when it cannot tell. */
  txt(name: string, signal?: AbortSignal): Promise<TxtAnswer>
}

export class DnsError extends Error {
  override readonly name = 'DnsError'
  /** `bogus`: there is an answer, and its signatures are wrong. */
  readonly kind: 'unreachable' | 'timeout' | 'protocol' | 'bogus'
  constructor(kind: DnsError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.kind = kind
  }
}

/** Letters, digits, - and _ in labels: nothing else is ever asked for. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
