/** The uninvoiced part of a month, computed by the engine that will write the invoices. */
import type { AccountId } from '../../kernel/ids.ts'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import { chargeLines, type CustomerUsage } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { sumOf } from '../charges/line.ts'
import type { Interval } from '../charges/period.ts'
import '../tables.ts'

export interface RevenueQuestion {
  readonly month: Interval
  readonly now: Date
  /** The operator's currency: amounts in another are not added to it. */
  readonly currency: string
  /** Null means all users. */
  readonly users: readonly AccountId[] | null
}

/** Returns nothing once the monthly run is finished: from then on the invoices contain everything. */
export async function unbilledUsage(
  db: Db,
  { month, now, currency, users }: RevenueQuestion,
): Promise<readonly CustomerUsage[]> {
  if (now < month.from || (await isInvoiced(db, month))) return []
  const usage = await readCustomerUsage(db, { users, month, until: earlier(now, month.to), usage: 'kept', currency })
  return [...usage.values()].filter((own) => own.currency === currency)
}

export interface UnbilledSum {
  /** So far, and at the end of the month. */
  readonly unbilled: number
  readonly expected: number
}

/** The number of customers computed before the process handles other requests. */
const STRIDE = 500

/** Returns sums by customer. */
export async function unbilledSums(db: Db, question: RevenueQuestion): Promise<ReadonlyMap<AccountId, UnbilledSum>> {
  const sums = new Map<AccountId, UnbilledSum>()
  for (const usage of await unbilledUsage(db, question)) {
    if (sums.size % STRIDE === STRIDE - 1) await setImmediate()
    const expected = sumOf(chargeLines(usage, usage.period.to))
    sums.set(usage.accountId, { unbilled: sumOf(chargeLines(usage, question.now)), expected })
  }
  return sums
}

export async function isInvoiced(db: Db, month: Interval): Promise<boolean> {
  const run = await db
    .selectFrom('billing_runs')
    .select('finished_at')
    .where('period_start', '=', month.from)
    .executeTakeFirst()
  return run?.finished_at != null
}

export const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
