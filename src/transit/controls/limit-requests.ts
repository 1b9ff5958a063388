/** Customers request a higher route limit. Staff decide, with a reason that the customer reads. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import { notify, requireNotOwnAccount } from '../../accounts/index.ts'
import { conflict, notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Principal } from '../../platform/http/principal.ts'
import { ensureConnection, findConnection } from '../connections/connections.ts'
import type { LimitRequest, StaffLimitRequest } from '../contract.ts'
import type { TransitWriter } from '../deps.ts'
import { recordConnectionEvent } from '../events.ts'
import type { TransitLimitRequestsTable } from './tables.ts'
import { endTrip, readRouteLimits, readTrips } from './limits.ts'

interface Wanted {
  readonly family: 4 | 6
  readonly routes: number
  readonly reason: string
}

/** A second request replaces one that is still open. */
export async function requestLimit(deps: TransitWriter, db: Db, actor: Actor, accountId: AccountId, wanted: Wanted) {
  const now = deps.clock.now()
  const connection = await ensureConnection(db, accountId, now)
  const limit = (await readRouteLimits(db, connection.id))[wanted.family].receive
  if (wanted.routes <= limit)
    throw conflict(`The IPv${wanted.family} session may send ${limit} routes already.`, 'invalid_state')
  const values = { ...wanted, account_id: accountId, created_at: now }
  await db
    .insertInto('transit_limit_requests')
    .values(values)
    .onConflict((on) => on.columns(['account_id', 'family']).where('status', '=', 'OPEN').doUpdateSet(values))
    .execute()
  await recordConnectionEvent(db, actor, connection, 'connection.limit_requested', { ...wanted })
}

const view = (row: Selectable<TransitLimitRequestsTable>): LimitRequest => ({
  id: row.id,
  family: row.family,
  routes: row.routes,
  reason: row.reason,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  decisionReason: row.decision_reason,
  granted: row.granted,
})

/** Oldest first. */
export async function openLimitRequests(db: Db): Promise<StaffLimitRequest[]> {
  const rows = await db
    .selectFrom('transit_limit_requests as request')
    .innerJoin('users', 'users.account_id', 'request.account_id')
    .innerJoin('transit_connections as connection', 'connection.account_id', 'request.account_id')
    .selectAll('request')
    .select([
      'users.id as user_id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'connection.id as connection_id',
    ])
    .where('request.status', '=', 'OPEN')
    .orderBy('request.id')
    .limit(200)
    .execute()
  return Promise.all(
    rows.map(async (row) => ({
      ...view(row),
      customer: { id: row.user_id, email: row.email, firstName: row.first_name, lastName: row.last_name },
      receiveLimit: (await readRouteLimits(db, row.connection_id))[row.family].receive,
    })),
  )
}

export async function ownLimitRequests(db: Db, accountId: AccountId): Promise<LimitRequest[]> {
  const rows = await db
    .selectFrom('transit_limit_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.map(view)
}

interface Decision {
  /** Null: declined. Staff may grant less than was requested. */
  readonly routes: number | null
  readonly reason: string
}

export async function decideLimit(
  deps: TransitWriter,
  db: Db,
  { actor, principal }: { readonly actor: Actor; readonly principal: Principal },
  id: number,
  { routes, reason }: Decision,
): Promise<void> {
  const now = deps.clock.now()
  const request = await db
    .selectFrom('transit_limit_requests')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!request) throw notFound()
  requireNotOwnAccount(principal, request.account_id)
  const status = routes === null ? 'DECLINED' : 'GRANTED'
  if (request.status !== 'OPEN') {
    if (request.status === status && request.granted === routes) return
    throw conflict(`It is ${request.status}: it was decided before.`)
  }
  const { account_id: accountId, family } = request
  const connection = await findConnection(db, accountId)
  if (!connection) throw notFound()
  await db
    .updateTable('transit_limit_requests')
    .set({ status, granted: routes, decided_at: now, decided_by: actor.userId, decision_reason: reason })
    .where('id', '=', id)
    .execute()
  if (routes !== null) {
    await db
      .updateTable('transit_connections')
      .set(family === 4 ? { receive_limit4: routes } : { receive_limit6: routes })
      .where('id', '=', connection.id)
      .execute()
    const trip = (await readTrips(db, connection.id)).find((one) => one.family === family)
    if (trip && routes > trip.limit) await endTrip(db, actor, connection, family)
  }
  await recordConnectionEvent(
    db,
    actor,
    connection,
    routes === null ? 'connection.limit_declined' : 'connection.limit_granted',
    {
      family,
      routes,
      reason,
    },
  )
  await notify(db, deps, accountId, 'sessions', {
    subject: routes === null ? `Route limit of IPv${family} not changed` : `Route limit of IPv${family}: ${routes}`,
    paragraphs: [
      routes === null
        ? `You asked for ${request.routes} routes on your IPv${family} session. We did not change the limit.`
        : `Your IPv${family} session may send up to ${routes} routes. The new limit applies within seconds.`,
      reason,
    ],
    action: { label: 'View the session', path: `/transit/sessions/${family}` },
  })
}
