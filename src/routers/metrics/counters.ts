/** Turns counters into what happened between two readings, and assigns it to five-minute slots of the clock. Pure. */

export interface Reading {
  readonly at: Date
  readonly cpuNs: bigint
  readonly rxBytes: bigint
  readonly txBytes: bigint
}

export interface Interval {
  readonly from: Date
  readonly to: Date
  readonly cpuSeconds: number
  readonly rxBytes: number
  readonly txBytes: number
}

export const SLOT_MS = 5 * 60_000

/** Returns the start of the slot that holds this moment, in milliseconds. */
export const slotStart = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS

/** Longer than any outage that is fixed. Spread over more time, traffic would be invented rather than measured. */
export const LONGEST_GAP_MS = 6 * 3_600_000

/** True when the earlier reading came from a clock that was ahead: waiting for that time could take years. */
export const wasAhead = (before: Reading, now: Reading): boolean =>
  before.at.getTime() - now.at.getTime() > LONGEST_GAP_MS

/**
 * Returns what happened since the last reading; null when the new one is not newer. Counters restart at zero with the
 * machine, so after a start they show what happened since.
 */
export function intervalBetween(before: Reading, now: Reading): Interval | null {
  if (now.at <= before.at) return null
  const restarted = now.cpuNs < before.cpuNs || now.rxBytes < before.rxBytes || now.txBytes < before.txBytes
  const since = restarted ? { cpuNs: 0n, rxBytes: 0n, txBytes: 0n } : before
  return {
    from: before.at,
    to: now.at,
    cpuSeconds: Number(now.cpuNs - since.cpuNs) / 1e9,
    rxBytes: Number(now.rxBytes - since.rxBytes),
    txBytes: Number(now.txBytes - since.txBytes),
  }
}

export interface SlotShare {
  /** The start of its five minutes. */
  readonly slot: Date
  readonly seconds: number
  readonly cpuSeconds: number
  readonly rxBytes: number
  readonly txBytes: number
}

/**
 * Cuts an interval at slot boundaries, evenly by time, so that an hour without readings does not become one slot's
 * peak. The shares add up to the interval, to the byte.
 */
export function shareAmongSlots(interval: Interval): SlotShare[] {
  const from = interval.from.getTime()
  const to = interval.to.getTime()
  // In integers: the product is beyond what a double represents exactly.
  const passed = (total: number, until: number): number =>
    Number((BigInt(total) * BigInt(until - from)) / BigInt(to - from))
  const shares: SlotShare[] = []
  for (let start = from; start < to;) {
    const slot = slotStart(start)
    const end = Math.min(to, slot + SLOT_MS)
    shares.push({
      slot: new Date(slot),
      seconds: (end - start) / 1000,
      cpuSeconds: (interval.cpuSeconds * (end - start)) / (to - from),
      rxBytes: passed(interval.rxBytes, end) - passed(interval.rxBytes, start),
      txBytes: passed(interval.txBytes, end) - passed(interval.txBytes, start),
    })
    start = end
  }
  return shares
}
