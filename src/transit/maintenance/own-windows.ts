/** Maintenance as a customer sees it: the parts that affect their own routers and connection, and nothing else of the scope. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import type { MaintenanceWindow } from '../contract.ts'
import type { MaintenanceWindowsTable } from './tables.ts'
import { maintenanceStateOf } from './policy.ts'
import { readScopes, readTouched, type Scope } from './touched.ts'

type Row = Selectable<MaintenanceWindowsTable>

/** Windows that are upcoming or in progress, the next first. */
export async function ownWindows(db: Db, accountId: AccountId, now: Date): Promise<MaintenanceWindow[]> {
  const rows = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('ends_at', '>', now)
    .where('cancelled_at', 'is', null)
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const scopes = await readScopes(
    db,
    rows.map(({ id }) => id),
  )
  const views: MaintenanceWindow[] = []
  for (const row of rows) {
    const view = await viewFor(db, accountId, row, scopes.get(row.id)!, now)
    if (view !== null) views.push(view)
  }
  return views
}

/** Also returns a window that is over or canceled; null for one that does not affect the customer. */
export async function viewOwnWindow(
  db: Db,
  accountId: AccountId,
  id: number,
  now: Date,
): Promise<MaintenanceWindow | null> {
  const row = await db.selectFrom('maintenance_windows').selectAll().where('id', '=', id).executeTakeFirst()
  return row ? viewFor(db, accountId, row, (await readScopes(db, [id])).get(id)!, now) : null
}

export async function viewFor(
  db: Db,
  accountId: AccountId,
  row: Row,
  scope: Scope,
  now: Date,
): Promise<MaintenanceWindow | null> {
  const { routers, connections } = await readTouched(db, scope, accountId)
  if (routers.length + connections.length === 0) return null
  const touched = new Map<number, MaintenanceWindow['routers'][number]>([
    ...routers.map(({ id, name, site, sessions }) => [id, { id, name, site, edge: null, sessions }] as const),
    ...connections.map(
      ({ router, edge }) => [router.id, { ...router, site: edge.site, edge: edge.name, sessions: true }] as const,
    ),
  ])
  return {
    id: row.id,
    title: row.title,
    effect: row.effect,
    state: maintenanceStateOf(row, now),
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    routers: [...touched.values()],
  }
}
