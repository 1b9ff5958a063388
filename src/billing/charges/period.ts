/**
 * Billing months are calendar months in UTC. Every customer's month starts and ends at the same moment and contains
 * no clock change.
 */

export interface Interval {
  readonly from: Date
  /** The first moment after the interval. */
  readonly to: Date
}

/** The time that one invoice covers: a month, or what is left of it after a closing invoice. */
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

/** Returns the start of the month, the ends of its days, the current time and its end; at most `most` moments. */
export function momentsOf(month: Interval, now: Date, most: number): Date[] {
  const days = Math.round(lengthOf(month) / DAY_MS)
  const every = Math.max(1, Math.ceil(days / most))
  const ends = Array.from({ length: days + 1 }, (_, day) => new Date(month.from.getTime() + day * DAY_MS))
  const kept = ends.filter((end, day) => end.getTime() !== now.getTime() && (day % every === 0 || day === days))
  return [...kept, now].toSorted((a, b) => a.getTime() - b.getTime())
}

/** Returns the part of the month around `at` that is not on an invoice yet; null if all of it is. */
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

/** Returns what is left of an interval without the pauses in it. Pauses must not overlap each other. */
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

/** Splits an interval at the moments inside it. The result is in order. */
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

/** Returns the number of slots that start in the interval. Slots start at full five minutes. */
export const slotsIn = ({ from, to }: Interval): number =>
  Math.max(0, Math.ceil(to.getTime() / SLOT_MS) - Math.ceil(from.getTime() / SLOT_MS))

/**
 * Returns numerator / denominator rounded to the nearest integer, a half away from zero. It is the only rounding of a
 * line.
 */
export function divideRounded(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n
  const magnitude = negative ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return Number(negative ? -rounded : rounded)
}
