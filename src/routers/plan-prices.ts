/** The prices of plans, as a later slice keeps them. */
import type { Db } from '../platform/db/index.ts'
import './tables.ts'

export interface OfferedPlan {
  readonly slug: string
  readonly name: string
  /** Minor units of `currency`. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
  readonly currency: string
}

/** Also plans that can no longer be chosen: routers may still be on them. */
export async function offeredPlans(db: Db): Promise<OfferedPlan[]> {
  const rows = await db
    .selectFrom('plans')
    .select(['slug', 'name', 'hourly_price', 'monthly_price', 'currency'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    slug: row.slug,
    name: row.name,
    hourlyPrice: row.hourly_price,
    monthlyPrice: row.monthly_price,
    currency: row.currency,
  }))
}

/** What the catalogue shows and what spans that begin from now on are agreed at. */
export async function setPlanPrice(
  db: Db,
  slug: string,
  price: Pick<OfferedPlan, 'hourlyPrice' | 'monthlyPrice'>,
): Promise<void> {
  await db
    .updateTable('plans')
    .set({ hourly_price: price.hourlyPrice, monthly_price: price.monthlyPrice })
    .where('slug', '=', slug)
    .execute()
}
