/**
 * Measures the current month of each customer with traffic, in turn, so that totals can be shown without reading
 * every slot.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Reconciler } from '../../platform/reconcile.ts'
import { accountsWithTraffic } from '../../routers/index.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { monthOf } from '../charges/period.ts'
import { readSettings } from '../settings.ts'
import { cacheUsage } from './usage.ts'

/** The maximum age of a number on a dashboard. Invoices never use these measurements. */
const FRESH_FOR_MS = 15 * 60_000

export function usageReconciler({ db, clock }: { db: Db; clock: Clock }): Reconciler {
  return {
    name: 'transit-usage',
    everyMs: 60_000,
    concurrency: 1,
    wakes: () => null,
    async due() {
      const now = clock.now()
      const month = monthOf(now)
      const carried = await accountsWithTraffic(db, { after: 0 }, month)
      const { rows } = await sql<{ account_id: AccountId }>`
        select used.account_id from (
            select account_id from router_usage_periods where ended_at is null or ended_at > ${month.from}
            union select unnest(${carried}::int[])) used
          left join transit_usage kept on kept.account_id = used.account_id and kept.period_start = ${month.from}
        where kept.measured_at is null or kept.measured_at < ${new Date(now.getTime() - FRESH_FOR_MS)}
        order by kept.measured_at nulls first limit 300`.execute(db)
      return rows.map((row) => row.account_id)
    },
    async reconcile(id) {
      const accountId = id as AccountId
      const now = clock.now()
      const month = monthOf(now)
      const { currency } = await readSettings(db)
      const usage = await readCustomerUsage(db, { users: [accountId], month, until: now, usage: 'fresh', currency })
      await cacheUsage(db, accountId, month.from, usage.get(accountId)?.transit ?? [], now)
    },
  }
}
