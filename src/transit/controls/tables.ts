import type { AccountId } from '../../kernel/ids.ts'
import type { Generated } from 'kysely'
import type { LimitRequestStatus } from '../states.ts'

export interface TransitLimitTripsTable {
  connection_id: number
  family: 4 | 6
  tripped_at: Date
  receive_limit: number
  emailed_at: Date | null
}

export interface TransitLimitRequestsTable {
  id: Generated<number>
  account_id: AccountId
  family: 4 | 6
  routes: number
  reason: string
  status: Generated<LimitRequestStatus>
  created_at: Date
  decided_at: Date | null
  decided_by: number | null
  decision_reason: string | null
  granted: number | null
}

export interface TransitBlackholesTable {
  id: Generated<number>
  account_id: AccountId
  address: string
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}
