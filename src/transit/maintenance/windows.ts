/** Staff announce, change and cancel maintenance. The worker notifies the customers: see `notify-job.ts`. */
import type { AccountId, UserId } from '../../kernel/ids.ts'
import { sql, type Selectable } from 'kysely'
import type { ParsedInput, Reply } from '../../kernel/endpoint.ts'
import { conflict, invalid, notFound, type FieldProblem } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import type { AdminMaintenanceWindow, TransitApi } from '../contract.ts'
import { recordMaintenanceWindow } from '../events.ts'
import type { MaintenanceWindowsTable } from './tables.ts'
import { MAINTENANCE_AHEAD_DAYS_MAX, MAINTENANCE_DAYS_MAX, maintenanceStateOf } from './policy.ts'
import { customersOf, readScopes, readTouched, type Scope } from './touched.ts'

type Row = Selectable<MaintenanceWindowsTable>
type NewWindow = ParsedInput<TransitApi['POST /api/admin/maintenance_windows']>['body']
type WindowChange = ParsedInput<TransitApi['PATCH /api/admin/maintenance_windows/{id}']>['body']

const DAY_MS = 86_400_000
const PAST_SHOWN = 100
const NAMED_MAX = 100

function requireTimes(startsAt: Date, endsAt: Date, now: Date, begun: boolean): void {
  const problems: FieldProblem[] = []
  if (!begun && startsAt <= now) problems.push({ field: 'startsAt', message: 'must be in the future' })
  if (startsAt.getTime() - now.getTime() > MAINTENANCE_AHEAD_DAYS_MAX * DAY_MS)
    problems.push({ field: 'startsAt', message: `must be within ${MAINTENANCE_AHEAD_DAYS_MAX} days` })
  if (endsAt <= startsAt) problems.push({ field: 'endsAt', message: 'must be after the start' })
  else if (endsAt <= now) problems.push({ field: 'endsAt', message: 'must be in the future' })
  if (endsAt.getTime() - startsAt.getTime() > MAINTENANCE_DAYS_MAX * DAY_MS)
    problems.push({ field: 'endsAt', message: `must be within ${MAINTENANCE_DAYS_MAX} days of the start` })
  if (problems.length > 0) throw invalid(problems)
}

const TARGETS = [
  ['sites', 'sites', 'site'],
  ['hypervisors', 'hypervisors', 'hypervisor'],
  ['edges', 'transit_edges', 'edge'],
] as const

async function requireTargets(db: Db, scope: Scope): Promise<void> {
  const problems: FieldProblem[] = []
  for (const [field, table, noun] of TARGETS) {
    const wanted = [...new Set(scope[field])]
    const found = await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', sql<number>`any(${wanted}::int[])`)
      .execute()
    if (found.length < wanted.length) problems.push({ field, message: `includes one ${noun} that does not exist` })
  }
  if (problems.length > 0) throw invalid(problems)
}

export async function announceWindow(
  db: Db,
  actor: Actor,
  body: NewWindow,
  now: Date,
): Promise<AdminMaintenanceWindow> {
  const [startsAt, endsAt] = [new Date(body.startsAt), new Date(body.endsAt)]
  requireTimes(startsAt, endsAt, now, false)
  await requireTargets(db, body)
  const row = await db
    .insertInto('maintenance_windows')
    .values({
      title: body.title,
      effect: body.effect,
      starts_at: startsAt,
      ends_at: endsAt,
      everywhere: body.everywhere,
      created_by: actor.userId,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const none = { site_id: null, hypervisor_id: null, edge_id: null }
  const targets = [
    ...[...new Set(body.sites)].map((id) => ({ ...none, window_id: row.id, site_id: id })),
    ...[...new Set(body.hypervisors)].map((id) => ({ ...none, window_id: row.id, hypervisor_id: id })),
    ...[...new Set(body.edges)].map((id) => ({ ...none, window_id: row.id, edge_id: id })),
  ]
  if (targets.length > 0) await db.insertInto('maintenance_targets').values(targets).execute()
  await recordMaintenanceWindow(db, actor, 'created', row, {})
  return viewWindow(db, row.id, now)
}

export async function changeWindow(
  db: Db,
  actor: Actor,
  id: number,
  { cancelled, reason, ...change }: WindowChange,
  now: Date,
): Promise<AdminMaintenanceWindow> {
  const before = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  const state = maintenanceStateOf(before, now)
  if (state === 'PAST' || state === 'CANCELLED')
    throw conflict(state === 'PAST' ? 'This maintenance is over.' : 'This maintenance is canceled.')
  if (cancelled) {
    const row = await update(db, before, { cancelled_at: now, cancelled_reason: reason! })
    await recordMaintenanceWindow(db, actor, 'cancelled', row, { reason })
    return viewWindow(db, id, now)
  }
  const after = {
    title: change.title ?? before.title,
    effect: change.effect ?? before.effect,
    starts_at: change.startsAt === undefined ? before.starts_at : new Date(change.startsAt),
    ends_at: change.endsAt === undefined ? before.ends_at : new Date(change.endsAt),
  }
  const changed = (Object.keys(after) as (keyof typeof after)[]).filter(
    (name) => after[name].valueOf() !== before[name].valueOf(),
  )
  if (changed.length === 0) return viewWindow(db, id, now)
  if (state === 'UNDER_WAY' && changed.some((name) => name !== 'ends_at'))
    throw conflict('This maintenance has begun: only its end can change.')
  requireTimes(after.starts_at, after.ends_at, now, state === 'UNDER_WAY')
  const row = await update(db, before, after)
  const pick = (from: typeof after) => Object.fromEntries(changed.map((name) => [FIELD[name], from[name]]))
  await recordMaintenanceWindow(db, actor, 'changed', row, { before: pick(before), after: pick(after) })
  return viewWindow(db, id, now)
}

const FIELD = { title: 'title', effect: 'effect', starts_at: 'startsAt', ends_at: 'endsAt' } as const

/** Every customer who was told is told again. */
const update = (db: Db, { id, revision }: Row, change: Partial<Row>): Promise<Row> =>
  db
    .updateTable('maintenance_windows')
    .set({ ...change, revision: revision + 1, announced_at: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function previewScope(
  db: Db,
  scope: Scope,
): Promise<Reply<TransitApi['POST /api/admin/maintenance_windows/preview']>> {
  await requireTargets(db, scope)
  const touched = await readTouched(db, scope)
  const customers = customersOf(touched)
  const named = await db
    .selectFrom('users')
    .select(['id', 'account_id', 'email'])
    .where('account_id', '=', sql<AccountId>`any(${customers}::int[])`)
    .orderBy('email')
    .limit(NAMED_MAX)
    .execute()
  const routersOf = Map.groupBy(touched.routers, ({ accountId }) => accountId)
  const connected = new Set(touched.connections.map(({ accountId }) => accountId))
  return {
    customers: customers.length,
    routers: touched.routers.length,
    connections: touched.connections.length,
    named: named.map(({ id, account_id: accountId, email }) => ({
      id,
      email,
      routers: (routersOf.get(accountId) ?? []).map(({ name }) => name),
      transit: connected.has(accountId),
    })),
  }
}

export async function listWindows(db: Db, now: Date): Promise<AdminMaintenanceWindow[]> {
  const rows = db.selectFrom('maintenance_windows').selectAll()
  const isOver = sql<boolean>`(cancelled_at is not null or ends_at <= ${now})`
  const open = await rows
    .where(sql<boolean>`not ${isOver}`)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
  const over = await rows.where(isOver).orderBy('starts_at', 'desc').orderBy('id', 'desc').limit(PAST_SHOWN).execute()
  return viewWindows(db, [...open, ...over], now)
}

async function viewWindow(db: Db, id: number, now: Date): Promise<AdminMaintenanceWindow> {
  const row = await db.selectFrom('maintenance_windows').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return (await viewWindows(db, [row], now))[0]!
}

async function viewWindows(db: Db, rows: readonly Row[], now: Date): Promise<AdminMaintenanceWindow[]> {
  const ids = rows.map(({ id }) => id)
  const scopes = await readScopes(db, ids)
  const notices = Map.groupBy(
    await db
      .selectFrom('maintenance_notices')
      .select(['window_id', 'account_id', 'revision'])
      .where('window_id', '=', sql<number>`any(${ids}::int[])`)
      .execute(),
    (notice) => notice.window_id,
  )
  const authors = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', sql<UserId>`any(${rows.map((row) => row.created_by)}::int[])`)
    .execute()
  const names = {
    sites: await namesOf(db, 'sites'),
    hypervisors: await namesOf(db, 'hypervisors'),
    edges: await namesOf(db, 'transit_edges'),
  }
  const named = (table: keyof typeof names, wanted: readonly number[]) =>
    wanted.map((id) => ({ id, name: names[table].get(id)! }))
  const views: AdminMaintenanceWindow[] = []
  for (const row of rows) {
    const scope = scopes.get(row.id)!
    const sent = notices.get(row.id) ?? []
    const state = maintenanceStateOf(row, now)
    const touched = state === 'PAST' || state === 'CANCELLED' ? [] : customersOf(await readTouched(db, scope))
    views.push({
      id: row.id,
      title: row.title,
      effect: row.effect,
      state,
      startsAt: row.starts_at.toISOString(),
      endsAt: row.ends_at.toISOString(),
      everywhere: scope.everywhere,
      sites: named('sites', scope.sites),
      hypervisors: named('hypervisors', scope.hypervisors),
      edges: named('edges', scope.edges),
      createdBy: authors.find(({ id }) => id === row.created_by)?.email ?? null,
      createdAt: row.created_at.toISOString(),
      cancelledAt: row.cancelled_at?.toISOString() ?? null,
      cancelledReason: row.cancelled_reason,
      announcedAt: row.announced_at?.toISOString() ?? null,
      notified: sent.filter(({ revision }) => revision === row.revision).length,
      customers: new Set([...touched, ...sent.map((notice) => notice.account_id)]).size,
    })
  }
  return views
}

async function namesOf(db: Db, table: 'sites' | 'hypervisors' | 'transit_edges'): Promise<Map<number, string>> {
  const rows = await db.selectFrom(table).select(['id', 'name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
