/**
 * Validated ROA payloads (VRPs) and origin validation with them (RFC 6811). Sources: RTR (RFC 8210) and JSON exports.
 * Only JSON exports provide ASPA objects: implementations do not agree yet on how RTR carries them. Missing or expired
 * data gives `UNKNOWN`, never a guess.
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
  /**
   * Only when INVALID: `AS` if no covering VRP names the origin, `LENGTH` if one does but the prefix is longer than it
   * allows.
   */
  readonly reason: 'AS' | 'LENGTH' | null
  /** The VRPs that cover the prefix, matched ones first; at most 50. */
  readonly vrps: readonly (Vrp & { readonly matched: boolean })[]
  /** When the data was last known to be complete; null if UNKNOWN because there is no data. */
  readonly asOf: Date | null
}

/** A {@link RpkiValidation} without its explanation. */
export type Verdict = Pick<RpkiValidation, 'status' | 'reason'>

/**
 * The providers that the holder of an ASN has signed (draft-ietf-sidrops-aspa-profile). An empty list means that it has
 * none. `NONE`: it has no ASPA object. `UNKNOWN`: the data is missing, too old, or has no such objects.
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
  /** Validates the origin (RFC 6811 section 2); AS0 never matches (RFC 6483 section 4). */
  validate(prefix: Prefix, origin: number): RpkiValidation
  /** The same without the VRPs, for many routes. */
  verdict(prefix: Prefix, origin: number): Verdict
  /** Returns the ASPA objects of this ASN. */
  aspa(customerAsn: number): AspaAnswer
  report(): RpkiStatusReport
  /** Calls the listener after each change of the data. Returns the unsubscriber. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
