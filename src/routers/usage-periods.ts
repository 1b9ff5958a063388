/** Usage periods of routers, with their price: the evidence that charges are computed from. */
import type { AccountId } from '../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

export interface RouterUsagePeriod {
  readonly routerId: number
  readonly accountId: AccountId
  readonly routerName: string
  readonly planSlug: string
  readonly planName: string
  /** Minor units of `currency`, as agreed when the usage period began. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
  readonly currency: string
  readonly startedAt: Date
  /** Null: not ended. */
  readonly endedAt: Date | null
}

interface OpenUsagePeriod {
  readonly id: number
  readonly account_id: AccountId
  readonly name: string
  readonly plan_id: number
}

/**
 * Starts when the router first answers: nobody pays for one that never worked. Opening twice gives one usage period.
 */
export async function openUsagePeriod(db: Db, router: OpenUsagePeriod, at: Date): Promise<void> {
  const plan = await db.selectFrom('plans').selectAll().where('id', '=', router.plan_id).executeTakeFirstOrThrow()
  await db
    .insertInto('router_usage_periods')
    .values({
      router_id: router.id,
      account_id: router.account_id,
      router_name: router.name,
      plan_slug: plan.slug,
      plan_name: plan.name,
      hourly_price: plan.hourly_price,
      monthly_price: plan.monthly_price,
      currency: plan.currency,
      started_at: at,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.column('router_id').where('ended_at', 'is', null).doNothing())
    .execute()
}

/** Returns whether the router is charged for. */
export async function hasUsagePeriod(db: Db, routerId: number): Promise<boolean> {
  const open = await db
    .selectFrom('router_usage_periods')
    .select('id')
    .where('router_id', '=', routerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

/** Returns whether one was open. */
export async function closeUsagePeriod(db: Db, routerId: number, at: Date): Promise<boolean> {
  const closed = await db
    .updateTable('router_usage_periods')
    // A clock that was set back must not end a usage period before its start.
    .set((eb) => ({ ended_at: eb.fn<Date>('greatest', ['started_at', eb.val(at)]) }))
    .where('router_id', '=', routerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows > 0n
}

/**
 * Returns every usage period that overlaps the interval, of these users, or of all with null. Ordered by user, router
 * and time.
 */
export async function routerUsagePeriods(
  db: Db,
  users: AccountId | readonly AccountId[] | null,
  from: Date,
  to: Date,
): Promise<RouterUsagePeriod[]> {
  let query = db
    .selectFrom('router_usage_periods')
    .selectAll()
    .where('started_at', '<', to)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', from)]))
  if (users !== null) query = query.where('account_id', '=', sql<AccountId>`any(${[users].flat()}::int[])`)
  const rows = await query.orderBy('account_id').orderBy('router_id').orderBy('started_at').execute()
  return rows.map((row) => ({
    routerId: row.router_id,
    accountId: row.account_id,
    routerName: row.router_name,
    planSlug: row.plan_slug,
    planName: row.plan_name,
    hourlyPrice: row.hourly_price,
    monthlyPrice: row.monthly_price,
    currency: row.currency,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }))
}
