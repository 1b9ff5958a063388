/** What a piece of terms will come to if the traffic goes on as it went. */
import { sumOf } from '../charges/line.ts'
import { SLOT_MS, slotsIn, type Interval } from '../charges/period.ts'
import { transitCharges, type SegmentUsage, type RateSegment } from '../charges/transit-lines.ts'
import { freeSlots } from './percentile.ts'

export interface Forecast {
  readonly overage: number
  /** ISO 8601. */
  readonly lastsUntil: string | null
}

/** The percentile of the slots so far is that of all slots, when the rest is like them. Reductions are left out. */
export function forecastOf(segment: RateSegment & { readonly usage: SegmentUsage }, month: Interval): Forecast {
  const overage = sumOf(
    transitCharges([segment], [], month, month)
      .filter(({ kind }) => kind === 'OVERAGE')
      .flatMap(({ lines }) => lines),
  )
  const { above, slots } = segment.usage
  const free = freeSlots(slotsIn(segment))
  // One more than is free costs; so many slots pass, at this pace, until there are as many above the commit.
  const passed = above > 0 ? Math.ceil(((free + 1) * slots) / above) : Infinity
  const lasts = passed > slotsIn(segment)
  return { overage, lastsUntil: lasts ? null : new Date(segment.from.getTime() + passed * SLOT_MS).toISOString() }
}
