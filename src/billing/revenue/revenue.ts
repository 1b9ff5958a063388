/** What a month has earned so far and what it will bring: invoices, and the engine of the invoices for what is on none yet. */
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
  readonly userId: number
  /** The document that it stands on; null before. */
  readonly invoice: { readonly id: number; readonly number: string | null } | null
}

export interface RevenueLines {
  readonly accrued: readonly RevenueLine[]
  readonly projected: readonly RevenueLine[]
}

/** A dashboard is looked at by several people and reloaded on focus: within this time they see the same figures. */
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
      // What is held now is taken to be held to the month's end, and traffic to go on as it went.
      projected += sumOf(chargeLines(usage, usage.period.to))
    }
    return { accrued: { amount: accrued, currency }, projected: { amount: projected, currency } }
  }

  return {
    currency,
    /** Before tax; whoever owes nothing is left out. What was invoiced of the cycle already is in it. */
    async chargesThisBillingCycle(db: Db, userIds: readonly number[]): Promise<Map<number, Money>> {
      const now = clock.now()
      const month = monthOf(now)
      const charges = new Map<number, number>()
      const add = (userId: number, amount: number) => charges.set(userId, (charges.get(userId) ?? 0) + amount)
      for (const [userId, { invoiced, credited }] of await billedSums(db, month, userIds)) {
        add(userId, invoiced + credited)
      }
      for (const usage of await unbilledUsage(db, { month, now, currency, users: userIds })) {
        add(usage.userId, sumOf(chargeLines(usage, now)))
      }
      return new Map([...charges].map(([userId, amount]) => [userId, { amount, currency }]))
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
    /** The same sums as lines, of some customers or of all; of the running month or another one. In order of customers. */
    async revenueLines(
      db: Db,
      users: readonly number[] | null,
      month: Interval = monthOf(clock.now()),
    ): Promise<RevenueLines> {
      const now = clock.now()
      const billed = await billedLines(db, month, { users })
      const usage = await unbilledUsage(db, { month, now, currency, users })
      const linesAt = (until: (own: CustomerUsage) => Date): RevenueLine[] =>
        [
          ...billed,
          ...usage.flatMap((own) =>
            chargeLines(own, until(own)).map((line) => ({ ...viewLine(line), userId: own.userId, invoice: null })),
          ),
        ].toSorted((a, b) => a.userId - b.userId)
      return { accrued: linesAt(() => now), projected: linesAt((own) => own.period.to) }
    },
  }
}

export type Revenue = ReturnType<typeof createRevenue>
