/** The running month day by day, for the picture: earned up to each day, and what the rest will bring. */
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import { chargeLines, type CustomerUsage } from '../charges/charge-lines.ts'
import { daySum, sumOf, type DaySum } from '../charges/line.ts'
import { momentsOf, monthOf } from '../charges/period.ts'
import { billedShares } from './billed.ts'
import { unbilledUsage } from './unbilled.ts'

/** With very many customers the line gets fewer corners instead of taking minutes: some 20 µs each. */
const MOST_COMPUTATIONS = 100_000
const LEAST_POINTS = 3
/** Customers that are computed before the process hears other requests again. */
const STRIDE = 500

/** Up to now it is earned, from now on it is projected; both meet in now. Traffic counts as it stands today. */
export async function revenueDays(db: Db, now: Date, currency: string): Promise<DaySum[]> {
  const month = monthOf(now)
  const usage = await unbilledUsage(db, { month, now, currency, users: null })
  const billed = await billedShares(db, month)
  const moments = momentsOf(month, now, Math.max(LEAST_POINTS, Math.floor(MOST_COMPUTATIONS / (usage.length || 1))))
  const sums = await sumsAt(usage, moments)
  // What stands on an invoice is earned as a whole: the two ends agree with the figures beside the picture.
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
