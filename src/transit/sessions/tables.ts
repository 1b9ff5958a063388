import type { Generated } from 'kysely'
import type { BfdState, SessionState } from '../../drivers/edge/index.ts'

export interface TransitSessionsTable {
  connection_id: number
  family: 4 | 6
  state: SessionState
  since: Date | null
  received: number
  accepted: number
  exported: number
  last_error: string | null
  /** Since when a session that was established is down. */
  down_since: Generated<Date | null>
  alerted_at: Generated<Date | null>
  bfd: BfdState | null
  /** How often it left Established within 24 hours. */
  flaps: Generated<number>
  /** When the oldest of these flaps becomes 24 hours old. */
  flaps_until: Generated<Date | null>
}

export interface TransitSessionEventsTable {
  id: Generated<number>
  connection_id: number
  family: 4 | 6
  at: Date
  from_state: SessionState | null
  to_state: SessionState
  error: string | null
}
