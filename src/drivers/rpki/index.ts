/**
 * Validated ROA payloads (VRPs) and origin validation over them (RFC 6811). Sources: RTR (RFC 8210) and JSON exports.
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
  report(): RpkiStatusReport
  /** Called after each change of the data. Returns the unsubscriber. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
