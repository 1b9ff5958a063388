/**
 * Computes what a month has earned so far and the projection, from invoices and, for uninvoiced usage, the billing
 * engine.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Money } from '../../kernel/money.ts'
import type { Db } from '../../platform/db/index.ts'
import { chargeLines, type CustomerUsage } from '../charges/charge-lines.ts'
import { sumOf } from '../charges/line.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import { viewLine } from '../customers/overview.ts'
import type { InvoiceLine } from '../contract.ts'
import { billedLines, billedSums, sumOfBilled } from './billed.ts'
import { unbilledUsage } from './unbilled.ts'

export interface RevenueLine extends InvoiceLine {
  readonly accountId: AccountId
  /** The invoice or credit note with this line; null before it is invoiced. */
  readonly invoice: { readonly id: number; readonly number: string | null } | null
}

export interface RevenueLines {
  readonly accrued: readonly RevenueLine[]
  readonly projected: readonly RevenueLine[]
}

/** Several people watch the dashboard and it reloads on focus: within this time they see the same numbers. */
const FRESH_FOR_MS = 15_000

/** `currency` is the operator's: amounts in another are not added to it. */
export function createRevenue({ clock, currency }: { clock: Clock; currency: string }) {
  let last: { at: number; answer: Promise<{ projected: Money; accrued: Money }> } | undefined

  const compute = async (db: Db): Promise<{ projected: Money; accrued: Money }> => {
    const now = clock.now()
    const month = monthOf(now)
    const billed = sumOfBilled((await billedSums(db, month, null)).values())
    let accrued = billed
    let projected = billed
    for (const usage of await unbilledUsage(db, { month, now, currency, users: null })) {
      accrued += sumOf(chargeLines(usage, now))
      // Assumes that current services stay until the end of the month and traffic continues at the same rate.
      projected += sumOf(chargeLines(usage, usage.period.to))
    }
    return { accrued: { amount: accrued, currency }, projected: { amount: projected, currency } }
  }

  return {
    currency,
    /** Before tax, including what was already invoiced in this cycle. Users without charges are left out. */
    async chargesThisBillingCycle(db: Db, accountIds: readonly AccountId[]): Promise<Map<AccountId, Money>> {
      const now = clock.now()
      const month = monthOf(now)
      const charges = new Map<AccountId, number>()
      const add = (accountId: AccountId, amount: number) =>
        charges.set(accountId, (charges.get(accountId) ?? 0) + amount)
      for (const [accountId, { invoiced, credited }] of await billedSums(db, month, accountIds)) {
        add(accountId, invoiced + credited)
      }
      for (const usage of await unbilledUsage(db, { month, now, currency, users: accountIds })) {
        add(usage.accountId, sumOf(chargeLines(usage, now)))
      }
      return new Map([...charges].map(([accountId, amount]) => [accountId, { amount, currency }]))
    },
    revenue(db: Db): Promise<{ projected: Money; accrued: Money }> {
      const at = clock.now().getTime()
      if (!last || at - last.at >= FRESH_FOR_MS || at < last.at) {
        const answer = compute(db)
        last = { at, answer }
        answer.catch(() => (last = undefined))
      }
      return last.answer
    },
    /**
     * Returns the same sums as lines, for some customers or all, for the current month or another. Ordered by
     * customer.
     */
    async revenueLines(
      db: Db,
      users: readonly AccountId[] | null,
      month: Interval = monthOf(clock.now()),
    ): Promise<RevenueLines> {
      const now = clock.now()
      const billed = await billedLines(db, month, { users })
      const usage = await unbilledUsage(db, { month, now, currency, users })
      const linesAt = (until: (own: CustomerUsage) => Date): RevenueLine[] =>
        [
          ...billed,
          ...usage.flatMap((own) =>
            chargeLines(own, until(own)).map((line) => ({
              ...viewLine(line),
              accountId: own.accountId,
              invoice: null,
            })),
          ),
        ].toSorted((a, b) => a.accountId - b.accountId)
      return { accrued: linesAt(() => now), projected: linesAt((own) => own.period.to) }
    },
  }
}

export type Revenue = ReturnType<typeof createRevenue>
