import type { Generated, JSONColumnType } from 'kysely'
import type { CustomerChange } from './changes.ts'

export interface TransitEdgeLoadsTable {
  id: Generated<number>
  edge_id: number
  at: Date
  state: 'WAITING' | 'CONFIRMED' | 'LOADING' | 'LOADED' | 'FAILED' | 'SUPERSEDED'
  generation: string
  previous_generation: string | null
  changes: JSONColumnType<readonly CustomerChange[]>
  customers_added: number
  customers_removed: number
  prefixes_added: number
  prefixes_removed: number
  /** A digest of what it would drop, where staff have to confirm it. */
  dropped: string | null
  /** Why staff have to confirm it, or why it failed. */
  detail: string | null
  causes: JSONColumnType<readonly { readonly actor: string; readonly action: string }[]>
  audit_id: number
  confirmed_by: number | null
  confirmed_at: Date | null
  confirmed_reason: string | null
}
