/** The log of deliveries, and replays. */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { PING, type PublicEventType } from '../kernel/public-events.ts'
import { conflict, invalid, notFound } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import { pageOf } from '../platform/page-of.ts'
import type { WebhookDelivery, WebhookDeliveryDetail } from './contract.ts'
import { publishWebhookChanged } from './events.ts'
import { RETENTION_DAYS, REPLAY_MAX, type DeliveryState } from './states.ts'
import './tables.ts'

const DAY_MS = 86_400_000
/** The most pings that may wait for delivery. */
const PINGS_MAX = 5

interface Page {
  readonly before?: number | undefined
  readonly limit: number
  readonly state?: DeliveryState | undefined
}

/** For one endpoint, or for all endpoints of a customer. */
export async function listDeliveries(
  db: Db,
  whose: { readonly endpointId: number } | { readonly accountId: AccountId },
  { before, limit, state }: Page,
): Promise<{ deliveries: WebhookDelivery[]; next: number | null }> {
  const rows = await deliveryRows(db)
    .$if('endpointId' in whose, (query) => query.where('delivery.endpoint_id', '=', (whose as never)['endpointId']))
    .$if('accountId' in whose, (query) => query.where('endpoint.account_id', '=', (whose as never)['accountId']))
    .$if(before !== undefined, (query) => query.where('delivery.id', '<', before!))
    .$if(state !== undefined, (query) => query.where('delivery.state', '=', state!))
    .orderBy('delivery.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, next } = pageOf(rows, limit, (row) => row.id)
  return { deliveries: shown.map(view), next }
}

export async function findDelivery(db: Db, endpointId: number, id: number): Promise<DeliveryRow> {
  const row = await deliveryRows(db)
    .where('delivery.endpoint_id', '=', endpointId)
    .where('delivery.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** An endpoint that was changed still gets what waits from before, also of events that it no longer wants. */
export async function waitingTypes(db: Db, endpointId: number): Promise<string[]> {
  const rows = await deliveryRows(db)
    .clearSelect()
    .select('event.type')
    .distinct()
    .where('delivery.endpoint_id', '=', endpointId)
    .where('delivery.state', '=', 'PENDING')
    .execute()
  return rows.map(({ type }) => type)
}

const ATTEMPTS_SHOWN = 50

export async function viewDelivery(
  db: Db,
  row: DeliveryRow,
  { withBody }: { readonly withBody: boolean },
): Promise<WebhookDeliveryDetail> {
  const attempts = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', row.id)
    .orderBy('id', 'desc')
    .limit(ATTEMPTS_SHOWN)
    .execute()
  return {
    ...view(row),
    log: attempts.map(({ at, status, duration_ms: durationMs, error, excerpt }) => ({
      at: at.toISOString(),
      status,
      durationMs,
      error,
      excerpt,
    })),
    body: withBody ? row.body : null,
  }
}

interface Endpoint {
  readonly id: number
  readonly account_id: AccountId
  readonly enabled: boolean
  readonly events: readonly PublicEventType[]
}

export async function replayDelivery(db: Db, endpoint: Endpoint, id: number, now: Date): Promise<WebhookDelivery> {
  requireEnabled(endpoint)
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'PENDING', since: now, next_attempt_at: now, delivered_at: null })
    .where('id', '=', id)
    .execute()
  await publishWebhookChanged(db, endpoint)
  return view(await findDelivery(db, endpoint.id, id))
}

/** Includes events from before the endpoint existed or while it was disabled. Oldest first, so that a caller can continue. */
export async function replaySince(
  db: Db,
  endpoint: Endpoint,
  since: Date,
  now: Date,
): Promise<{ queued: number; more: boolean }> {
  requireEnabled(endpoint)
  if (now.getTime() - since.getTime() > RETENTION_DAYS * DAY_MS) {
    throw invalid([{ field: 'since', message: `may be at most ${RETENTION_DAYS} days ago: what is older is not kept` }])
  }
  const { rows } = await sql<{ id: number }>`
    select id from outgoing_events
    where account_id = ${endpoint.account_id} and dispatched_at is not null and occurred_at >= ${since}
      and type = any (${endpoint.events})
      and not exists (select from webhook_deliveries waiting
        where waiting.event_id = outgoing_events.id and endpoint_id = ${endpoint.id} and state = 'PENDING')
    order by id limit ${REPLAY_MAX + 1}`.execute(db)
  const chosen = rows.slice(0, REPLAY_MAX).map(({ id }) => id)
  await sql`
    insert into webhook_deliveries (endpoint_id, event_id, since, next_attempt_at)
    select ${endpoint.id}, id, ${now}, ${now} from unnest(${chosen}::bigint[]) as id
    on conflict (endpoint_id, event_id) do update
      set state = 'PENDING', since = excluded.since, next_attempt_at = excluded.next_attempt_at, delivered_at = null`.execute(
    db,
  )
  await publishWebhookChanged(db, endpoint)
  return { queued: chosen.length, more: rows.length > REPLAY_MAX }
}

export async function ping(db: Db, endpoint: Endpoint, now: Date): Promise<WebhookDelivery> {
  requireEnabled(endpoint)
  const { waiting } = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('outgoing_events as event', 'event.id', 'delivery.event_id')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('delivery.endpoint_id', '=', endpoint.id)
    .where('delivery.state', '=', 'PENDING')
    .where('event.type', '=', PING)
    .executeTakeFirstOrThrow()
  if (waiting >= PINGS_MAX) throw conflict(`${PINGS_MAX} of them wait already: see in the log what becomes of them.`)
  const event = await db
    .insertInto('outgoing_events')
    .values({
      account_id: endpoint.account_id,
      type: PING,
      subject_type: 'webhook',
      subject_id: endpoint.id,
      occurred_at: now,
      body: null,
      // Only for this endpoint, so it is dispatched here.
      dispatched_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('webhook_deliveries')
    .values({
      endpoint_id: endpoint.id,
      event_id: event.id,
      since: now,
      next_attempt_at: now,
      delivered_at: null,
      last_status: null,
      last_error: null,
      last_duration_ms: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publishWebhookChanged(db, endpoint)
  return view(await findDelivery(db, endpoint.id, id))
}

function requireEnabled({ enabled }: Endpoint): void {
  if (!enabled) throw conflict('This endpoint is switched off: switch it on first.')
}

const deliveryRows = (db: Db) =>
  db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('outgoing_events as event', 'event.id', 'delivery.event_id')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .selectAll('delivery')
    .select(['event.message_id', 'event.type', 'event.occurred_at', 'event.body'])
export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveryRows>['execute']>>[number]

const view = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  messageId: row.message_id,
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  state: row.state,
  attempts: row.attempts,
  lastStatus: row.last_status,
  lastError: row.last_error,
  lastDurationMs: row.last_duration_ms,
  nextAttemptAt: row.state === 'PENDING' ? row.next_attempt_at.toISOString() : null,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
})
