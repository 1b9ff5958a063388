/** Tables that only webhooks write. */
import type { AccountId } from '../kernel/ids.ts'
import type { Generated } from 'kysely'
import type { PublicEventType } from '../kernel/public-events.ts'
import type { DeliveryState } from './states.ts'

export interface WebhookEndpointsTable {
  id: Generated<number>
  account_id: AccountId
  url: string
  description: string
  events: PublicEventType[]
  enabled: Generated<boolean>
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  created_at: Date
  last_success_at: Date | null
  disabled_reason: string | null
}

export interface WebhookDeliveriesTable {
  id: Generated<number>
  endpoint_id: number
  event_id: number
  state: Generated<DeliveryState>
  attempts: Generated<number>
  since: Date
  next_attempt_at: Date
  delivered_at: Date | null
  last_status: number | null
  last_error: string | null
  last_duration_ms: number | null
}

export interface WebhookAttemptsTable {
  id: Generated<number>
  delivery_id: number
  at: Date
  duration_ms: number
  status: number | null
  error: string | null
  excerpt: string | null
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    webhook_endpoints: WebhookEndpointsTable
    webhook_deliveries: WebhookDeliveriesTable
    webhook_attempts: WebhookAttemptsTable
  }
}
