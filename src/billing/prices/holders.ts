/** Finds the customers who currently have a product. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { monthOf } from '../charges/period.ts'
import { isOneOff } from './one-off-products.ts'
import '../tables.ts'

export interface PriceHolderFilter {
  readonly product: string
  readonly now: Date
  /** Leaves out customers who were already notified of this price. */
  readonly unnotifiedOf?: number
  readonly limit?: number
}

/**
 * Returns user ids in order. Transit: customers with traffic this month at list prices. One-off products have no
 * holders.
 */
export async function holdersOf(
  db: Db,
  { product, now, unnotifiedOf, limit }: PriceHolderFilter,
): Promise<AccountId[]> {
  if (isOneOff(product)) return []
  const slug = /^router:(.*)$/.exec(product)?.[1] ?? null
  const having =
    product === 'transit'
      ? sql`select account_id from transit_usage
          where period_start = ${monthOf(now).from} and exists (
            select from jsonb_each(segments) where key like 'list:%' and (value->>'measured')::boolean
          ) and not exists (
            select from transit_contracts held where held.account_id = transit_usage.account_id and agreed
              and effective_from = (
                select max(effective_from) from transit_contracts
                where account_id = held.account_id and effective_from <= ${now}
              )
          )`
      : sql`select account_id from router_usage_periods
          where ended_at is null and (${slug}::text is null or plan_slug = ${slug})`
  const { rows } = await sql<{ account_id: AccountId }>`
    select distinct account_id from (${having}) as having_it
    where ${unnotifiedOf ?? null}::int is null
      or not exists (select from price_notices notice where price_id = ${unnotifiedOf ?? null} and notice.account_id = having_it.account_id)
    order by account_id limit ${limit ?? null}`.execute(db)
  return rows.map((row) => row.account_id)
}
