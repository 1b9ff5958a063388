/** What customers owe so far and what the month will bring: the engine of the invoices, asked before they are written. */
import type { Clock } from '../kernel/clock.ts'
import type { Money } from '../kernel/money.ts'
import type { Db } from '../platform/db/index.ts'
import { chargeLines, type CustomerFacts } from './charges/charge-lines.ts'
import { readFacts } from './charges/facts.ts'
import { sumOf, type ChargeLine } from './charges/line.ts'
import { monthOf } from './charges/period.ts'

export interface RevenueLine extends ChargeLine {
  readonly userId: number
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

  const factsOf = (db: Db, users: readonly number[] | null): Promise<Map<number, CustomerFacts>> => {
    const now = clock.now()
    return readFacts(db, { users, month: monthOf(now), until: now, usage: 'kept', currency })
  }

  const compute = async (db: Db): Promise<{ projected: Money; accrued: Money }> => {
    const now = clock.now()
    let accrued = 0
    let projected = 0
    for (const facts of (await factsOf(db, null)).values()) {
      if (facts.currency !== currency) continue
      accrued += sumOf(chargeLines(facts, now))
      // What is held now is taken to be held to the month's end, and traffic to go on as it went.
      projected += sumOf(chargeLines(facts, facts.period.to))
    }
    return { accrued: { amount: accrued, currency }, projected: { amount: projected, currency } }
  }

  return {
    currency,
    /** Before tax; whoever owes nothing is left out. */
    async chargesThisBillingCycle(db: Db, userIds: readonly number[]): Promise<Map<number, Money>> {
      const now = clock.now()
      const facts = await factsOf(db, userIds)
      return new Map(
        [...facts].map(([userId, own]) => [userId, { amount: sumOf(chargeLines(own, now)), currency: own.currency }]),
      )
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
    /** The same sums as lines, of some customers or of all. */
    async revenueLines(db: Db, userIds: readonly number[] | null): Promise<RevenueLines> {
      const now = clock.now()
      const facts = [...(await factsOf(db, userIds)).values()].filter((own) => own.currency === currency)
      const linesAt = (until: (own: CustomerFacts) => Date): RevenueLine[] =>
        facts.flatMap((own) => chargeLines(own, until(own)).map((line) => ({ ...line, userId: own.userId })))
      return { accrued: linesAt(() => now), projected: linesAt((own) => own.period.to) }
    },
  }
}

export type Revenue = ReturnType<typeof createRevenue>
