/** Dispatches events to the endpoints that subscribe to them, and deletes old ones. */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import type { Reconciler } from '../platform/reconcile.ts'
import type { WebhooksDeps } from './deps.ts'
import { RETENTION_DAYS } from './states.ts'
import './tables.ts'
import { inTransaction } from '../platform/db/index.ts'
import { publishWebhookChanged } from './events.ts'

const BATCH = 500
const DAY_MS = 86_400_000

type Deps = Pick<WebhooksDeps, 'db' | 'clock'>

export function fanOutReconciler({ db: database, clock }: Deps): Reconciler {
  /** Claims and dispatches in one transaction, so an event is dispatched exactly once. A message delivered twice has the same id. */
  const fanOutBatch = (): Promise<number> =>
    inTransaction(database, async (db) => {
      const now = clock.now()
      const { rows: taken } = await sql<{ id: number }>`
        update outgoing_events set dispatched_at = ${now} where id in (
          select id from outgoing_events where dispatched_at is null order by id limit ${BATCH} for update skip locked)
        returning id`.execute(db)
      if (taken.length === 0) return 0
      const { rows: dispatched } = await sql<{ id: number; account_id: AccountId }>`
        with made as (
          insert into webhook_deliveries (endpoint_id, event_id, since, next_attempt_at)
          select endpoint.id, event.id, ${now}, ${now}
          from outgoing_events event
          join webhook_endpoints endpoint on endpoint.account_id = event.account_id and event.type = any (endpoint.events)
          join users on users.account_id = endpoint.account_id and users.closed_at is null
          where event.id = any (${taken.map(({ id }) => id)}) and endpoint.enabled
          order by event.id
          on conflict do nothing
          returning endpoint_id)
        select distinct endpoint.id, endpoint.account_id from made join webhook_endpoints endpoint on endpoint.id = endpoint_id`.execute(
        db,
      )
      for (const endpoint of dispatched) await publishWebhookChanged(db, endpoint)
      return taken.length
    })
  return {
    name: 'webhook-events',
    everyMs: 2_000,
    concurrency: 1,
    wakes: (changeEvent) => (changeEvent.type === 'outgoing_event' ? 1 : null),
    due: () => Promise.resolve([1]),
    async reconcile(_, signal) {
      while (!signal.aborted && (await fanOutBatch()) === BATCH);
    },
  }
}

/** Deletes old events, and their deliveries with them. */
export function retentionReconciler({ db, clock }: Deps): Reconciler {
  return {
    name: 'webhook-retention',
    everyMs: 3_600_000,
    concurrency: 1,
    wakes: () => null,
    due: () => Promise.resolve([1]),
    async reconcile() {
      const before = new Date(clock.now().getTime() - RETENTION_DAYS * DAY_MS)
      await sql`
        delete from outgoing_events event where occurred_at < ${before} and not exists (
          select from webhook_deliveries where event_id = event.id and state = 'PENDING')`.execute(db)
      await db
        .deleteFrom('webhook_endpoints')
        .where('account_id', 'in', (eb) =>
          eb.selectFrom('users').select('users.account_id').where('closed_at', 'is not', null),
        )
        .execute()
    },
  }
}
