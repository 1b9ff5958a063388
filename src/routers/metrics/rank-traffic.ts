/** Finds which of a customer's five-minute slots counts, and how many are above the commit. Pure. */
import { valueAtRank } from './value-at-rank.ts'

/** Bytes of each slot of a period, in order; 0 where nothing was measured. */
export interface Traffic {
  readonly received: Float64Array
  readonly sent: Float64Array
}

export interface Ranking {
  /** 1 for the busiest slot, 2 for the one after, … */
  readonly rank: number
  /** The greater of both directions, their sum, or the greater after ranking each alone. */
  readonly direction: 'MAX' | 'SUM' | 'SEPARATE'
  /** Slots with more bytes than this are counted. */
  readonly threshold: number
}

export interface Ranked {
  /** Bytes of the slot at the rank; 0 when fewer slots carried anything. */
  readonly bytes: number
  readonly above: number
}

export function rankTraffic({ received, sent }: Traffic, { rank, direction, threshold }: Ranking): Ranked {
  const views = direction === 'SEPARATE' ? [received.slice(), sent.slice()] : [together(received, sent, direction)]
  return {
    above: Math.max(...views.map((values) => countAbove(values, threshold))),
    bytes: Math.max(...views.map((values) => valueAtRank(values, rank))),
  }
}

function together(received: Float64Array, sent: Float64Array, direction: 'MAX' | 'SUM'): Float64Array {
  const values = new Float64Array(received.length)
  if (direction === 'SUM') for (let slot = 0; slot < values.length; slot++) values[slot] = received[slot]! + sent[slot]!
  else for (let slot = 0; slot < values.length; slot++) values[slot] = Math.max(received[slot]!, sent[slot]!)
  return values
}

function countAbove(values: Float64Array, threshold: number): number {
  let count = 0
  for (let slot = 0; slot < values.length; slot++) if (values[slot]! > threshold) count++
  return count
}
