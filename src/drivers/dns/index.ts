/** Reads TXT records through the configured resolvers only: the queried name never chooses a server. */

/**
 * The resolver's DNSSEC result (RFC 4035 section 3.2.3). `SECURE`: it verified the signatures. `INSECURE`: the zone is
 * not signed, or the resolver does not verify. `UNCHECKED`: the resolver is on another machine, so the bit could have
 * been set on the way.
 */
export const DNSSEC_STATUSES = ['SECURE', 'INSECURE', 'UNCHECKED'] as const
export type DnssecStatus = (typeof DNSSEC_STATUSES)[number]

export interface TxtAnswer {
  /** The TXT records of this name, each with its strings joined; at most {@link MAX_RECORDS}. */
  readonly records: readonly string[]
  /** The name is an alias (CNAME). It is not followed, because its target is in another zone. */
  readonly alias: boolean
  readonly dnssec: DnssecStatus
  /** The number of resolvers at different addresses that gave these records. With valid signatures one is enough. */
  readonly resolvers: number
}

export const MAX_RECORDS = 20

export interface TxtResolver {
  readonly kind: 'stub' | 'simulated'
  /** The resolver, shown to staff. */
  readonly server: string
  /** Throws {@link DnsError} if it cannot answer. */
  txt(name: string, signal?: AbortSignal): Promise<TxtAnswer>
}

export class DnsError extends Error {
  override readonly name = 'DnsError'
  /** `bogus`: there is an answer, and its signatures are invalid. */
  readonly kind: 'unreachable' | 'timeout' | 'protocol' | 'bogus'
  constructor(kind: DnsError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.kind = kind
  }
}

/** Labels of letters, digits, - and _: no other name is ever queried. */
export const isDnsName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
