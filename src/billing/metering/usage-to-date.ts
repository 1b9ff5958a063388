/** A customer's current percentile, and the samples to recompute it from. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { trafficSlots } from '../../routers/index.ts'
import { monthOf, SLOT_MS, slotsIn, type Interval } from '../charges/period.ts'
import { termsIn, type Contract } from '../charges/transit-lines.ts'
import { billingCustomer } from '../customers/customers.ts'
import type { TransitUsageToDate } from '../contract.ts'
import { readPriceList } from '../prices/price-list.ts'
import { contractsOf } from './contracts.ts'
import { forecastOf } from './forecast.ts'
import { freeSlots } from './percentile.ts'
import { measureSegments } from './usage.ts'

/** Returns the month named `2026-03`, or the current month. */
export const monthNamed = (name: string | undefined, now: Date): Interval =>
  monthOf(name === undefined ? now : new Date(`${name}-15T00:00:00Z`))

export async function transitUsageToDate(
  db: Db,
  accountId: AccountId,
  month: Interval,
  now: Date,
): Promise<TransitUsageToDate> {
  const { currency } = await billingCustomer(db, accountId)
  const contracts: readonly Contract[] = await contractsOf(db, accountId)
  const segments = termsIn(month, contracts, await readPriceList(db, currency)).map((segment) => ({
    ...segment,
    accountId,
  }))
  const usage = await measureSegments(db, segments, now < month.to ? now : month.to)
  return {
    from: month.from.toISOString(),
    to: month.to.toISOString(),
    segments: segments.map((segment, index) => {
      const measured = usage[index]!
      const free = freeSlots(slotsIn(segment))
      return {
        from: segment.from.toISOString(),
        to: segment.to.toISOString(),
        subject: segment.subject,
        terms: segment.terms,
        percentileBps: Math.round((measured.bytes * 8) / 300),
        slots: measured.slots,
        slotsInAll: slotsIn(segment),
        above: measured.above,
        free,
        left: Math.max(0, free - measured.above),
        measured: measured.measured,
        forecast: forecastOf({ ...segment, usage: measured }, month),
      }
    }),
  }
}

export interface Sample {
  readonly at: Date
  readonly receivedBytes: number
  readonly sentBytes: number
  /** How many of the 300 seconds were measured, for the router with the least. */
  readonly seconds: number
}

/**
 * Returns every slot of the month so far, summed over all routers. A slot without a measurement is included with
 * zeros.
 */
export async function samplesOf(db: Db, accountId: AccountId, month: Interval, now: Date): Promise<Sample[]> {
  const until = now < month.to ? now : month.to
  const slots = Map.groupBy(await trafficSlots(db, accountId, month.from, until), (one) => one.slot.getTime())
  return Array.from({ length: slotsIn({ from: month.from, to: until }) }, (_, index) => {
    const at = new Date(month.from.getTime() + index * SLOT_MS)
    const found = slots.get(at.getTime()) ?? []
    return {
      at,
      receivedBytes: found.reduce((sum, one) => sum + one.rxBytes, 0),
      sentBytes: found.reduce((sum, one) => sum + one.txBytes, 0),
      seconds: found.length === 0 ? 0 : Math.min(...found.map((one) => one.seconds)),
    }
  })
}

/** Includes exact bytes beside the rate, so that the percentile can be recomputed without our rounding. */
export function samplesCsv(samples: readonly Sample[]): string {
  const rows = samples.map(({ at, receivedBytes, sentBytes, seconds }) =>
    [at.toISOString(), receivedBytes, sentBytes, rate(receivedBytes), rate(sentBytes), Math.round(seconds)].join(','),
  )
  return `slot,received_bytes,sent_bytes,received_bps,sent_bps,measured_seconds\r\n${rows.map((row) => `${row}\r\n`).join('')}`
}

export const rate = (bytes: number): number => Math.round((bytes * 8) / 300)
