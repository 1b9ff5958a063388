/** The current month by day, for the chart: revenue accrued up to each day, and the projection for the rest. */
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import { chargeLines, type CustomerUsage } from '../charges/charge-lines.ts'
import { daySum, sumOf, type DaySum } from '../charges/line.ts'
import { momentsOf, monthOf } from '../charges/period.ts'
import { billedShares } from './billed.ts'
import { unbilledUsage } from './unbilled.ts'

/** With very many customers the chart gets fewer points instead of taking minutes: each takes some 20 µs. */
const MOST_COMPUTATIONS = 100_000
const LEAST_POINTS = 3
/** The number of customers computed before the process handles other requests. */
const STRIDE = 500

/**
 * Past points are accrued and future points are projected; both meet at the current time. Traffic counts at its
 * current percentile.
 */
export async function revenueDays(db: Db, now: Date, currency: string): Promise<DaySum[]> {
  const month = monthOf(now)
  const usage = await unbilledUsage(db, { month, now, currency, users: null })
  const billed = await billedShares(db, month)
  const moments = momentsOf(month, now, Math.max(LEAST_POINTS, Math.floor(MOST_COMPUTATIONS / (usage.length || 1))))
  const sums = await sumsAt(usage, moments)
  // At the end an invoice counts in full, so both ends agree with the numbers beside the chart.
  const whole = billed(month.to)
  return moments.map((at, index) => {
    const sum = sums[index]! + (at < now ? billed(at) : whole)
    return daySum(at, now, sum)
  })
}

async function sumsAt(usage: readonly CustomerUsage[], moments: readonly Date[]): Promise<number[]> {
  const sums = moments.map(() => 0)
  for (const [count, own] of usage.entries()) {
    if (count % STRIDE === STRIDE - 1) await setImmediate()
    moments.forEach((at, index) => (sums[index]! += sumOf(chargeLines(own, at))))
  }
  return sums
}
