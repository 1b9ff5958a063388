/** Notifies the customers whom a maintenance window affects. Run by the lead worker. */
import type { AccountId } from '../../kernel/ids.ts'
import { notify } from '../../accounts/index.ts'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import type { TransitWriter } from '../deps.ts'
import { recordMaintenanceNotice } from '../events.ts'
import { maintenanceEmail, type MaintenanceNotice } from './emails.ts'
import { viewFor } from './own-windows.ts'
import { customersOf, readScopes, readTouched } from './touched.ts'

type NotifierDeps = TransitWriter & { readonly db: Db }

export function maintenanceNotifier(deps: NotifierDeps): Reconciler {
  const { db, clock } = deps
  return {
    name: 'maintenance-notices',
    // Also finds customers who ordered a router in scope after the announcement.
    everyMs: 30_000,
    concurrency: 1,
    wakes: ({ type, id, accountId }) => (type === 'maintenance' && accountId === null ? id : null),
    async due() {
      const rows = await db
        .selectFrom('maintenance_windows')
        .select('id')
        .where('ends_at', '>', clock.now())
        .where((eb) => eb.or([eb('cancelled_at', 'is', null), eb('announced_at', 'is', null)]))
        .orderBy('starts_at')
        .execute()
      return rows.map(({ id }) => id)
    },
    async reconcile(id, signal) {
      for (const accountId of await customersToNotify(db, id, clock.now())) {
        if (signal.aborted) return
        await inTransaction(db, (on) => notifyCustomer(deps, on, id, accountId))
      }
      await inTransaction(db, (on) => markAnnounced(on, id, clock.now()))
    },
  }
}

/** Returns the customers who were not notified of the current revision. */
async function customersToNotify(db: Db, id: number, now: Date): Promise<AccountId[]> {
  const row = await db.selectFrom('maintenance_windows').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || row.ends_at <= now) return []
  const notices = await db.selectFrom('maintenance_notices').selectAll().where('window_id', '=', id).execute()
  const behind = notices.filter(({ revision }) => revision < row.revision).map(({ account_id }) => account_id)
  if (row.cancelled_at !== null) return behind
  const notified = new Set(notices.map(({ account_id }) => account_id))
  const touched = customersOf(await readTouched(db, (await readScopes(db, [id])).get(id)!))
  return [...behind, ...touched.filter((accountId) => !notified.has(accountId))]
}

/** Writes the row, email, activity and webhook event in one transaction, so no customer is notified twice or without a row. */
export async function notifyCustomer(deps: TransitWriter, db: Db, id: number, accountId: AccountId): Promise<void> {
  const now = deps.clock.now()
  // The lock makes staff who change the window wait. Otherwise the email could be outdated.
  const row = await db.selectFrom('maintenance_windows').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row || row.ends_at <= now) return
  const before = await db
    .selectFrom('maintenance_notices')
    .select('revision')
    .where('window_id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (before?.revision === row.revision) return
  const view = await viewFor(db, accountId, row, (await readScopes(db, [id])).get(id)!, now)
  const notice: MaintenanceNotice = row.cancelled_at !== null ? 'cancelled' : before ? 'changed' : 'announced'
  if (before === undefined && (view === null || notice === 'cancelled')) return
  await db
    .insertInto('maintenance_notices')
    .values({ window_id: id, account_id: accountId, revision: row.revision, notified_at: now })
    .onConflict((on) =>
      on.columns(['window_id', 'account_id']).doUpdateSet({ revision: row.revision, notified_at: now }),
    )
    .execute()
  await notify(db, deps, accountId, 'required', maintenanceEmail(row, view, notice))
  await recordMaintenanceNotice(db, accountId, notice, row)
}

async function markAnnounced(db: Db, id: number, now: Date): Promise<void> {
  const row = await db
    .selectFrom('maintenance_windows')
    .select(['announced_at', 'ends_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.announced_at !== null || row.ends_at <= now || (await customersToNotify(db, id, now)).length > 0)
    return
  await db.updateTable('maintenance_windows').set({ announced_at: now }).where('id', '=', id).execute()
}
