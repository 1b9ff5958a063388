/** Forecasts the cost of a rate segment if the traffic continues at the same rate. */
import { sumOf } from '../charges/line.ts'
import { SLOT_MS, slotsIn, type Interval } from '../charges/period.ts'
import { transitCharges, type SegmentUsage, type RateSegment } from '../charges/transit-lines.ts'
import { freeSlots } from './percentile.ts'

export interface Forecast {
  readonly overage: number
  /** ISO 8601. */
  readonly lastsUntil: string | null
}

/**
 * Assumes that the remaining slots are like those so far, so that the percentile stays the same. Reductions are left
 * out.
 */
export function forecastOf(segment: RateSegment & { readonly usage: SegmentUsage }, month: Interval): Forecast {
  const overage = sumOf(
    transitCharges([segment], [], month, month)
      .filter(({ kind }) => kind === 'OVERAGE')
      .flatMap(({ lines }) => lines),
  )
  const { above, slots } = segment.usage
  const free = freeSlots(slotsIn(segment))
  // One slot more than is free costs money. At this rate, it takes `passed` slots until that many are above the
  // commit.
  const passed = above > 0 ? Math.ceil(((free + 1) * slots) / above) : Infinity
  const lasts = passed > slotsIn(segment)
  return { overage, lastsUntil: lasts ? null : new Date(segment.from.getTime() + passed * SLOT_MS).toISOString() }
}
