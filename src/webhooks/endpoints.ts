/** The webhook endpoints of customers. */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import { PUBLIC_EVENTS, type PublicEventType } from '../kernel/public-events.ts'
import { conflict, forbidden, invalid, notFound, type FieldProblem } from '../kernel/problem.ts'
import { covers, type Scope } from '../kernel/scope.ts'
import type { Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import type { Principal } from '../platform/http/principal.ts'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from './contract.ts'
import type { WebhooksDeps } from './deps.ts'
import { recordWebhookEvent } from './events.ts'
import { createSecret } from './signing.ts'
import { ENDPOINTS_MAX } from './states.ts'
import './tables.ts'

type Deps = Pick<WebhooksDeps, 'clock' | 'secretKey' | 'sender'>

export interface EndpointOrder {
  readonly url: string
  readonly description: string
  readonly events: readonly PublicEventType[]
  readonly enabled: boolean
}

export async function listEndpoints(db: Db, accountId: AccountId, now: Date): Promise<WebhookEndpoint[]> {
  const rows = await endpointRows(db).where('endpoint.account_id', '=', accountId).orderBy('endpoint.id').execute()
  return rows.map((row) => view(row, now))
}

/** Throws 404 for another customer's endpoint, as for one that does not exist. */
export async function findEndpoint(db: Db, accountId: AccountId, id: number) {
  const row = await endpointRows(db)
    .where('endpoint.account_id', '=', accountId)
    .where('endpoint.id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export async function viewEndpoint(db: Db, accountId: AccountId, id: number, now: Date): Promise<WebhookEndpoint> {
  return view(await findEndpoint(db, accountId, id), now)
}

export async function addEndpoint(
  { clock, secretKey, sender }: Deps,
  db: Db,
  actor: Actor,
  accountId: AccountId,
  order: EndpointOrder,
): Promise<WebhookEndpointWithSecret> {
  checkUrl(sender, order.url)
  // Locked until the commit, so that two concurrent requests cannot both add the last endpoint.
  await db.selectFrom('users').select('id').where('account_id', '=', accountId).forUpdate().execute()
  const now = clock.now()
  if ((await listEndpoints(db, accountId, now)).length >= ENDPOINTS_MAX) {
    throw conflict(`An account takes ${ENDPOINTS_MAX} endpoints: remove one first.`)
  }
  const { shown, encrypted } = createSecret(secretKey)
  const { id } = await db
    .insertInto('webhook_endpoints')
    .values({
      ...order,
      events: [...order.events],
      account_id: accountId,
      secret: encrypted,
      previous_secret: null,
      previous_until: null,
      created_at: now,
      last_success_at: null,
      disabled_reason: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordWebhookEvent(db, actor, { id, account_id: accountId }, 'webhook.added', {
    url: order.url,
    events: order.events,
  })
  return { ...(await viewEndpoint(db, accountId, id, now)), secret: shown }
}

export interface EndpointChange {
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly events?: readonly PublicEventType[] | undefined
  readonly enabled?: boolean | undefined
}

export async function changeEndpoint(
  { clock, sender }: Deps,
  db: Db,
  actor: Actor,
  endpoint: { readonly id: number; readonly account_id: AccountId; readonly enabled: boolean },
  change: EndpointChange,
): Promise<void> {
  if (change.url !== undefined) checkUrl(sender, change.url)
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  if (given.length === 0) return
  const now = clock.now()
  await db
    .updateTable('webhook_endpoints')
    .set({ ...Object.fromEntries(given), ...(change.enabled !== undefined && { disabled_reason: null }) })
    .where('id', '=', endpoint.id)
    .execute()
  if (change.enabled && !endpoint.enabled) {
    // Waiting messages get their full retry time again: it was not their fault that the endpoint was disabled.
    await db
      .updateTable('webhook_deliveries')
      .set({ since: now, next_attempt_at: now })
      .where('endpoint_id', '=', endpoint.id)
      .where('state', '=', 'PENDING')
      .execute()
  }
  await recordWebhookEvent(db, actor, endpoint, 'webhook.changed', Object.fromEntries(given))
}

export async function removeEndpoint(db: Db, actor: Actor, accountId: AccountId, id: number): Promise<void> {
  const { url } = await findEndpoint(db, accountId, id)
  await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
  await recordWebhookEvent(db, actor, { id, account_id: accountId }, 'webhook.removed', { url })
}

/** The previous secret stays valid until the end of the overlap. One from before that becomes invalid now. */
export async function renewSecret(
  { clock, secretKey }: Deps,
  db: Db,
  actor: Actor,
  { accountId, id }: { readonly accountId: AccountId; readonly id: number },
  overlapHours: number,
): Promise<WebhookEndpointWithSecret> {
  await findEndpoint(db, accountId, id)
  const now = clock.now()
  const until = overlapHours > 0 ? new Date(now.getTime() + overlapHours * 3_600_000) : null
  const { shown, encrypted } = createSecret(secretKey)
  await db
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      previous_secret: until ? eb.ref('secret') : null,
      previous_until: until,
      secret: encrypted,
    }))
    .where('id', '=', id)
    .execute()
  await recordWebhookEvent(db, actor, { id, account_id: accountId }, 'webhook.secret_renewed', { overlapHours })
  return { ...(await viewEndpoint(db, accountId, id, now)), secret: shown }
}

/**
 * A message contains the data of its event. So a token that redirects messages must be able to read that data.
 * Otherwise a token for webhooks only could read the invoices.
 */
export function requireReach(principal: Principal, types: readonly string[]): void {
  const missing = missingScopes(principal, types)
  if (missing.length > 0) {
    throw forbidden(
      `This token was not made for this: these events need the scope ${missing.join(', ')}.`,
      'insufficient_scope',
    )
  }
}

export function missingScopes({ scopes }: Principal, types: readonly string[]): Scope[] {
  if (!scopes) return []
  const areas = types.flatMap((type) => (type in PUBLIC_EVENTS ? [PUBLIC_EVENTS[type as PublicEventType].area] : []))
  return [...new Set(areas)].map((area): Scope => `${area}:read`).filter((scope) => !covers(scopes, scope))
}

/** Validates the address of an endpoint, even if other fields are invalid. */
export function validateWebhookUrl(sender: Deps['sender'], url: string | undefined): FieldProblem[] {
  const refused = url === undefined ? null : sender.denial(url)
  return refused === null ? [] : [{ field: 'url', message: refused }]
}

function checkUrl(sender: Deps['sender'], url: string): void {
  const problems = validateWebhookUrl(sender, url)
  if (problems.length > 0) throw invalid(problems)
}

const endpointRows = (db: Db) =>
  db
    .selectFrom('webhook_endpoints as endpoint')
    .select(['endpoint.id', 'endpoint.account_id', 'endpoint.url', 'endpoint.description', 'endpoint.events'])
    .select(['endpoint.enabled', 'endpoint.disabled_reason', 'endpoint.created_at', 'endpoint.last_success_at'])
    .select('endpoint.previous_until')
    .select([
      sql<number>`(select count(*) from webhook_deliveries d
        where d.endpoint_id = endpoint.id and d.state = 'PENDING')`.as('pending'),
      sql<number>`(select count(*) from webhook_deliveries d
        where d.endpoint_id = endpoint.id and d.state = 'FAILED')`.as('failed'),
    ])
type EndpointRow = Awaited<ReturnType<ReturnType<typeof endpointRows>['execute']>>[number]

const view = (row: EndpointRow, now: Date): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.enabled,
  disabledReason: row.disabled_reason,
  createdAt: row.created_at.toISOString(),
  lastSuccessAt: row.last_success_at?.toISOString() ?? null,
  previousSecretUntil: row.previous_until && row.previous_until > now ? row.previous_until.toISOString() : null,
  pending: row.pending,
  failed: row.failed,
})
