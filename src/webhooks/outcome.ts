/** Handles the outcome of an attempt: log it, and retry or stop. */
import type { AccountId } from '../kernel/ids.ts'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import type { WebhooksDeps } from './deps.ts'
import { recordWebhookEvent, publishDelivered } from './events.ts'
import { sendDisabled } from './emails.ts'
import { GIVE_UP_AFTER_MS, pauseAfter } from './schedule.ts'
import { TRIED_FOR_HOURS } from './states.ts'
import './tables.ts'

export interface Outcome {
  readonly at: Date
  readonly durationMs: number
  readonly status: number | null
  readonly error: string | null
  readonly excerpt: string | null
  readonly retryAfter: number | null
}

interface Endpoint {
  readonly id: number
  readonly account_id: AccountId
  readonly url: string
}

interface Delivery {
  readonly id: number
  readonly attempts: number
}

/** Returns whether to keep sending to the endpoint. */
export const recordOutcome = (
  deps: WebhooksDeps,
  endpoint: Endpoint,
  delivery: Delivery,
  outcome: Outcome,
): Promise<boolean> =>
  inTransaction(deps.db, async (db) => {
    const now = deps.clock.now()
    const taken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300
    // Reads the current row: a message that was replayed during the attempt has its full retry time.
    const current = await db
      .selectFrom('webhook_deliveries')
      .select('since')
      .where('id', '=', delivery.id)
      .forUpdate()
      .executeTakeFirst()
    // Its endpoint was removed during the attempt.
    if (!current) return false
    const over = now.getTime() - current.since.getTime() >= GIVE_UP_AFTER_MS
    const attempts = delivery.attempts + 1
    const error = taken ? null : (outcome.error ?? describeStatus(outcome.status!))
    const pause = pauseAfter(attempts, Math.random(), outcome.retryAfter)
    await db
      .updateTable('webhook_deliveries')
      .set({
        state: taken ? 'DELIVERED' : over ? 'FAILED' : 'PENDING',
        attempts,
        delivered_at: taken ? now : null,
        next_attempt_at: new Date(now.getTime() + pause),
        last_status: outcome.status,
        last_error: error,
        last_duration_ms: outcome.durationMs,
      })
      .where('id', '=', delivery.id)
      .execute()
    await db
      .insertInto('webhook_attempts')
      .values({
        delivery_id: delivery.id,
        at: outcome.at,
        duration_ms: outcome.durationMs,
        status: outcome.status,
        error,
        excerpt: outcome.excerpt || null,
      })
      .execute()
    await publishDelivered(db, endpoint)
    if (taken) {
      await db.updateTable('webhook_endpoints').set({ last_success_at: now }).where('id', '=', endpoint.id).execute()
      return true
    }
    // RFC 9110, section 15.5.11: the endpoint says that it is permanently gone.
    if (outcome.status === 410)
      return disable(deps, db, endpoint, 'Response 410: the endpoint no longer accepts messages.')
    if (!over) return true
    const lately = await db
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('id', '=', endpoint.id)
      .where('last_success_at', '>=', current.since)
      .executeTakeFirst()
    return lately
      ? true
      : disable(deps, db, endpoint, `No delivery succeeded for ${TRIED_FOR_HOURS} hours. Last error: ${error}`)
  })

const describeStatus = (status: number): string =>
  status >= 300 && status < 400
    ? `Response ${status}: redirects are not followed.`
    : `Response ${status} instead of 2xx.`

async function disable(deps: WebhooksDeps, db: Db, endpoint: Endpoint, reason: string): Promise<false> {
  const disabled = await db
    .updateTable('webhook_endpoints')
    .set({ enabled: false, disabled_reason: reason })
    .where('id', '=', endpoint.id)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (disabled.numUpdatedRows > 0n) {
    await recordWebhookEvent(db, SYSTEM, endpoint, 'webhook.disabled', { url: endpoint.url, reason })
    await sendDisabled(deps, db, endpoint, reason)
  }
  return false
}
