import type { Generated, JSONColumnType } from 'kysely'
import type { EdgeDriver, EdgeError, EdgeRpki, SessionState } from '../../drivers/edge/index.ts'
import type { RevertedPrefix } from '../loads/changes.ts'
import type { RejectionReport } from './rejection-report.ts'
import type { EdgeLack } from '../states.ts'

export interface TransitEdgesTable {
  id: Generated<number>
  slug: string
  name: string
  /** Set by staff. No other edge may use it, whatever its agent reports. */
  bgp_identifier: Generated<string | null>
  added_at: Generated<Date>
  wanted_generation: string | null
  running_generation: string | null
  applied_at: Date | null
  attempted_at: Date | null
  observed_at: Date | null
  /** `no_agent`: no process drives it. `unconfirmed`: a load drops so much that staff have to confirm it. */
  error_kind: EdgeError['kind'] | 'no_agent' | 'unconfirmed' | null
  error: string | null
  /** Why the neighbor tables differ from the leases. */
  neighbors_error: string | null
  /** When they were last compared. */
  neighbors_at: Date | null
  /** The number of VRPs that the edge validates with; null before its first report, and for an edge that does not validate. */
  rpki_vrps: number | null
  rpki_caches: JSONColumnType<EdgeRpki['caches']> | null
  rpki_seen_at: Date | null
  /** Why its origin validation cannot be relied on. */
  rpki_error: string | null
  /**
   * When it last reported its upstream sessions, those that are down as text, and its rejections from them. Null before
   * its first report.
   */
  upstreams_at: Date | null
  upstreams_error: string | null
  upstream_rejections: JSONColumnType<RejectionReport> | null
  /** The load whose prefixes staff returned the edge to. */
  reverted_to: number | null
  reverted_at: Date | null
  reverted_by: number | null
  reverted_reason: string | null
  reverted_prefixes: JSONColumnType<readonly RevertedPrefix[]> | null
  /** The number of that load's prefixes that may not be restored. */
  reverted_missing: number | null
  /** Since then the routes of every customer are a last resort (RFC 8326). */
  maintenance_since: Date | null
  maintenance_reason: string | null
  /** Features that its product lacks. */
  lacks: Generated<EdgeLack[]>
}

/** A site without a row is served by the only edge, or by none. */
export interface TransitEdgeSitesTable {
  site_id: number
  edge_id: number
}

export interface TransitEdgeAgentsTable {
  slug: string
  waiting: string | null
  waiting_at: Date | null
  kind: EdgeDriver['kind'] | null
  /** Why this driver was chosen. */
  why: string | null
  router_id: string | null
}

export interface TransitUpstreamsTable {
  edge_id: number
  /** The name in the edge's own configuration. */
  name: string
  asn: number
  address: string
  state: SessionState
  since: Date | null
  received: number
  exported: number
  last_error: string | null
  /** Since when it is not established although its operator did not disable it. */
  down_since: Date | null
  alerted_at: Generated<Date | null>
}
