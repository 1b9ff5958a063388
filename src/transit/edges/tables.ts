import type { Generated, JSONColumnType } from 'kysely'
import type { EdgeDriver, EdgeError, EdgeRpki, SessionState } from '../../drivers/edge/index.ts'
import type { RevertedPrefix } from '../loads/changes.ts'
import type { RejectionReport } from './rejection-report.ts'
import type { EdgeLack } from '../states.ts'

export interface TransitEdgesTable {
  id: Generated<number>
  slug: string
  name: string
  /** Set by staff: nobody else’s, whatever an agent says. */
  bgp_identifier: Generated<string | null>
  added_at: Generated<Date>
  wanted_generation: string | null
  running_generation: string | null
  applied_at: Date | null
  attempted_at: Date | null
  observed_at: Date | null
  /** `no_agent`: no process drives it. `unconfirmed`: a load drops so much that a person has to confirm it. */
  error_kind: EdgeError['kind'] | 'no_agent' | 'unconfirmed' | null
  error: string | null
  /** Why the neighbour tables are not what the leases say. */
  neighbors_error: string | null
  /** When they were last looked at. */
  neighbors_at: Date | null
  /** VRPs that the edge validates with; null before it told, and of one that validates nothing. */
  rpki_vrps: number | null
  rpki_caches: JSONColumnType<EdgeRpki['caches']> | null
  rpki_seen_at: Date | null
  /** Why its origin validation cannot be relied on. */
  rpki_error: string | null
  /** When it last reported its upstream sessions, those that are down in words, and what it refused from them; null before it did. */
  upstreams_at: Date | null
  upstreams_error: string | null
  upstream_rejections: JSONColumnType<RejectionReport> | null
  /** The load to whose prefixes staff took the edge back. */
  reverted_to: number | null
  reverted_at: Date | null
  reverted_by: number | null
  reverted_reason: string | null
  reverted_prefixes: JSONColumnType<readonly RevertedPrefix[]> | null
  /** Prefixes of that load that may not come back. */
  reverted_missing: number | null
  /** Every customer is a last resort since then (RFC 8326). */
  maintenance_since: Date | null
  maintenance_reason: string | null
  /** What its product cannot do. */
  lacks: Generated<EdgeLack[]>
}

/** A site that is not here is served by the only edge, or by none. */
export interface TransitEdgeSitesTable {
  site_id: number
  edge_id: number
}

export interface TransitEdgeAgentsTable {
  slug: string
  waiting: string | null
  waiting_at: Date | null
  kind: EdgeDriver['kind'] | null
  /** In words why it is this driver. */
  why: string | null
  router_id: string | null
}

export interface TransitUpstreamsTable {
  edge_id: number
  /** As the edge's own configuration names it. */
  name: string
  asn: number
  address: string
  state: SessionState
  since: Date | null
  received: number
  exported: number
  last_error: string | null
  /** Since when it is not established though its operator wants it. */
  down_since: Date | null
  alerted_at: Generated<Date | null>
}
