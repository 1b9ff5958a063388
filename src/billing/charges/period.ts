/** Billing months are calendar months of UTC: every customer's begins and ends at the same moment, and no clock change is in it. */

export interface Interval {
  readonly from: Date
  /** The first moment after it. */
  readonly to: Date
}

/** What one invoice covers: a month, or the part of one that is left after a closing invoice. */
export interface Period extends Interval {
  readonly month: Interval
}

export const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
export const SLOT_MS = 300_000

export function monthOf(at: Date): Interval {
  return {
    from: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
    to: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)),
  }
}

/** Its beginning, the ends of its days, now, and its end; at most so many. */
export function momentsOf(month: Interval, now: Date, most: number): Date[] {
  const days = Math.round(lengthOf(month) / DAY_MS)
  const every = Math.max(1, Math.ceil(days / most))
  const ends = Array.from({ length: days + 1 }, (_, day) => new Date(month.from.getTime() + day * DAY_MS))
  const kept = ends.filter((end, day) => end.getTime() !== now.getTime() && (day % every === 0 || day === days))
  return [...kept, now].toSorted((a, b) => a.getTime() - b.getTime())
}

/** Of the month that `at` lies in, what is not on an invoice yet; null when all of it is. */
export function openPeriod(at: Date, billedUntil: Date | null): Period | null {
  const month = monthOf(at)
  const from = billedUntil && billedUntil > month.from ? billedUntil : month.from
  return from < month.to ? { from, to: month.to, month } : null
}

export const lengthOf = ({ from, to }: Interval): number => Math.max(0, to.getTime() - from.getTime())

export function overlap(a: Interval, b: { readonly from: Date; readonly to: Date | null }): Interval | null {
  const from = a.from > b.from ? a.from : b.from
  const to = b.to === null || a.to < b.to ? a.to : b.to
  return from < to ? { from, to } : null
}

/** What is left of an interval without the pauses in it. Pauses do not overlap each other. */
export function without(interval: Interval, pauses: readonly { from: Date; to: Date | null }[]): Interval[] {
  let left = [interval]
  for (const pause of pauses) {
    left = left.flatMap((part) => {
      const gone = overlap(part, pause)
      if (!gone) return [part]
      return [
        { from: part.from, to: gone.from },
        { from: gone.to, to: part.to },
      ].filter((rest) => lengthOf(rest) > 0)
    })
  }
  return left
}

/** Cuts an interval at moments; those outside of it cut nothing. In order. */
export function cutAt(interval: Interval, moments: readonly Date[]): Interval[] {
  const cuts = moments
    .filter((moment) => moment > interval.from && moment < interval.to)
    .toSorted((a, b) => a.getTime() - b.getTime())
  const edges = [interval.from, ...cuts, interval.to]
  return edges
    .slice(1)
    .map((to, index) => ({ from: edges[index]!, to }))
    .filter((part) => lengthOf(part) > 0)
}

/** Slots whose beginning lies in the interval; slots begin on the full five minutes of the clock. */
export const slotsIn = ({ from, to }: Interval): number =>
  Math.max(0, Math.ceil(to.getTime() / SLOT_MS) - Math.ceil(from.getTime() / SLOT_MS))

/** The nearest whole number to numerator / denominator, a half away from zero: the one rounding of a line. */
export function divideRounded(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n
  const magnitude = negative ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return Number(negative ? -rounded : rounded)
}
