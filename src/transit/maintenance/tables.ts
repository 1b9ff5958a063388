import type { AccountId } from '../../kernel/ids.ts'
import type { Generated } from 'kysely'
import type { MaintenanceEffect } from './policy.ts'

export interface MaintenanceWindowsTable {
  id: Generated<number>
  title: string
  effect: MaintenanceEffect
  starts_at: Date
  ends_at: Date
  everywhere: boolean
  revision: Generated<number>
  created_by: number | null
  created_at: Date
  cancelled_at: Date | null
  cancelled_reason: string | null
  announced_at: Date | null
}

/** Exactly one of the three is set. */
export interface MaintenanceTargetsTable {
  window_id: number
  site_id: number | null
  hypervisor_id: number | null
  edge_id: number | null
}

export interface MaintenanceNoticesTable {
  window_id: number
  account_id: AccountId
  revision: number
  notified_at: Date
}
