/** The prices of plans, for the slice that keeps them. */
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'

export interface OfferedPlan {
  readonly slug: string
  readonly name: string
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly diskSize: number
  /** Minor units of `currency`. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
  /** Charged once for each router. */
  readonly setupPrice: number
  readonly currency: string
  /** Null: on sale. */
  readonly retiredAt: Date | null
}

/** Includes plans that can no longer be chosen: routers may still be on them. */
export async function offeredPlans(db: Db): Promise<OfferedPlan[]> {
  const rows = await db.selectFrom('plans').selectAll().orderBy('position').orderBy('id').execute()
  return rows.map((row) => ({
    slug: row.slug,
    name: row.name,
    cpus: row.cpus,
    memory: row.memory,
    diskSize: row.disk_size,
    hourlyPrice: row.hourly_price,
    monthlyPrice: row.monthly_price,
    setupPrice: row.setup_price,
    currency: row.currency,
    retiredAt: row.retired_at,
  }))
}

/** Sets the price that the catalogue shows and at which new usage periods are agreed. */
export async function setPlanPrice(
  db: Db,
  slug: string,
  price: Pick<OfferedPlan, 'hourlyPrice' | 'monthlyPrice' | 'setupPrice'>,
): Promise<void> {
  await db
    .updateTable('plans')
    .set({ hourly_price: price.hourlyPrice, monthly_price: price.monthlyPrice, setup_price: price.setupPrice })
    .where('slug', '=', slug)
    .execute()
}

/** Returns how many charged routers and customers each plan has now. Plans without any are left out. */
export async function planUse(db: Db): Promise<Map<string, { readonly routers: number; readonly customers: number }>> {
  const rows = await db
    .selectFrom('router_usage_periods')
    .select('plan_slug')
    .select((eb) => eb.fn.countAll<number>().as('routers'))
    .select((eb) => eb.fn.count<number>('account_id').distinct().as('customers'))
    .where('ended_at', 'is', null)
    .groupBy('plan_slug')
    .execute()
  return new Map(rows.map(({ plan_slug, ...use }) => [plan_slug, use]))
}
