/**
 * Validated ROA payloads (VRPs) and origin validation over them (RFC 6811). Sources: RTR (RFC 8210) and JSON exports.
 * ASPA objects come with JSON exports alone: no two programs agree on how RTR carries them yet.
 * No data, or data older than its expiry, answers `UNKNOWN`: never a guess.
 */
import type { Prefix } from '../../kernel/prefix.ts'

export interface Vrp {
  /** Canonical text. */
  readonly prefix: string
  readonly maxLength: number
  readonly asn: number
}

export type RpkiStatus = 'VALID' | 'INVALID' | 'NOT_FOUND' | 'UNKNOWN'

export interface RpkiValidation {
  readonly status: RpkiStatus
  /** Only when INVALID: `AS` when no covering VRP names the origin, `LENGTH` when one does and the prefix is longer than it allows. */
  readonly reason: 'AS' | 'LENGTH' | null
  /** Every VRP that covers the prefix, matched ones first; at most 50. */
  readonly vrps: readonly (Vrp & { readonly matched: boolean })[]
  /** When the data was last known complete; null when UNKNOWN for want of data. */
  readonly asOf: Date | null
}

/** A {@link RpkiValidation} without what explains it. */
export type Verdict = Pick<RpkiValidation, 'status' | 'reason'>

/**
 * The networks that the holder of an ASN names as its providers, signed (draft-ietf-sidrops-aspa-profile). An empty list is
 * a statement too: it has none. `NONE`: it says nothing. `UNKNOWN`: the data is missing, too old, or has no such objects.
 */
export type AspaAnswer =
  | { readonly status: 'PROVIDERS'; readonly providers: readonly number[]; readonly asOf: Date }
  | { readonly status: 'NONE'; readonly asOf: Date }
  | { readonly status: 'UNKNOWN' }

export interface RpkiStatusReport {
  readonly source: string
  readonly state: 'starting' | 'current' | 'stale' | 'expired'
  readonly count: number
  readonly asOf: Date | null
  readonly error: string | null
}

export interface RpkiSource {
  /** Origin validation of RFC 6811 section 2; AS0 never matches (RFC 6483 section 4). */
  validate(prefix: Prefix, origin: number): RpkiValidation
  /** The same, without the VRPs: for many routes. */
  verdict(prefix: Prefix, origin: number): Verdict
  /** The ASPA objects of this ASN. */
  aspa(customerAsn: number): AspaAnswer
  report(): RpkiStatusReport
  /** Called after each change of the data. Returns the unsubscriber. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
