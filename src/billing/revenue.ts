/** What customers owe so far and what the month will bring, by the same rule as their charges. */
import type { Clock } from '../kernel/clock.ts'
import type { Money } from '../kernel/money.ts'
import type { Db } from '../platform/db/index.ts'
import { routerSpans } from '../routers/index.ts'
import { billingMonth, monthCharge } from './accrual.ts'

export function createRevenue({ clock, currency }: { clock: Clock; currency: string }) {
  const spansOf = async (db: Db) => {
    const now = clock.now()
    const month = billingMonth(now)
    return { now, month, spans: await routerSpans(db, null, month.from, month.to) }
  }
  return {
    currency,
    async chargesThisBillingCycle(db: Db, userIds: readonly number[]): Promise<Map<number, Money>> {
      const { now, month, spans } = await spansOf(db)
      const wanted = new Set(userIds)
      const byUser = Map.groupBy(
        spans.filter((span) => wanted.has(span.userId)),
        (span) => span.userId,
      )
      return new Map(
        [...byUser].map(([userId, own]) => [
          userId,
          { amount: monthCharge(own, month, now), currency: own[0]!.currency },
        ]),
      )
    },
    async revenue(db: Db): Promise<{ projected: Money; accrued: Money }> {
      const { now, month, spans } = await spansOf(db)
      const inCurrency = spans.filter((span) => span.currency === currency)
      return {
        accrued: { amount: monthCharge(inCurrency, month, now), currency },
        // What runs now is taken to run on to the month's end.
        projected: { amount: monthCharge(inCurrency, month, month.to), currency },
      }
    },
  }
}
