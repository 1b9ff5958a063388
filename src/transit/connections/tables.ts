import type { AccountId } from '../../kernel/ids.ts'
import type { Generated, JSONColumnType } from 'kysely'
import type { EdgeExport } from '../../drivers/edge/index.ts'
import type { FoundAsSet } from '../downstreams/ownership.ts'
import type { CheckStatus } from '../states.ts'

export interface TransitConnectionsTable {
  id: Generated<number>
  account_id: AccountId
  as_set: string | null
  as_set_status: Exclude<CheckStatus, 'INVALID'> | null
  as_set_members: number | null
  as_set_as_of: Date | null
  as_set_checked_at: Date | null
  as_set_found: JSONColumnType<FoundAsSet, string | null | undefined, string | null> | null
  router_id: number | null
  enabled: Generated<boolean>
  exports: Generated<EdgeExport>
  encrypted_password: Generated<Buffer | null>
  /**
   * The edge that may carry the connection. It is written before the edge is asked to, and cleared when the edge
   * confirmed a state without it.
   */
  edge_id: Generated<number | null>
  routes_seen_at: Date | null
  shutdown_message: string | null
  /** Cleared by `controls/timers.ts`. */
  drain_until: Date | null
  receive_limit4: number | null
  receive_limit6: number | null
  bfd4: Generated<boolean>
  bfd6: Generated<boolean>
  next_encrypted_password: Buffer | null
  password_change_at: Date | null
  password_pending_until: Date | null
  password_change_result: 'KEPT' | 'RETURNED' | null
  password_changed_at: Date | null
  created_at: Generated<Date>
}
