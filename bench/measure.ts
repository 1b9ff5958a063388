/** Measures in turns, so that other load on the machine affects both alike. */
import type { Comparison } from './bench.ts'

export interface Measured {
  readonly name: string
  readonly unit: Comparison['unit']
  readonly peer: string | null
  /** In the order in which they were taken; the n-th of both form a pair. */
  readonly ours: readonly number[]
  readonly theirs: readonly number[]
}

const LEAST_PAIRS = 5

export async function measure(comparison: Comparison, progress: (words: string) => void): Promise<Measured> {
  const { name, unit, peer, warmUps = 1 } = comparison
  const pairs = Math.max(comparison.pairs ?? LEAST_PAIRS, LEAST_PAIRS)
  const ours: number[] = []
  const theirs: number[] = []
  for (let turn = -warmUps; turn < pairs; turn++) {
    progress(turn < 0 ? `${name}: warming up` : `${name}: ${turn + 1} of ${pairs}`)
    const own = plausible(await comparison.ours())
    const other = peer && plausible(await peer.measure())
    if (turn < 0) continue
    ours.push(own)
    if (other !== undefined) theirs.push(other)
  }
  return { name, unit, peer: peer?.name ?? null, ours, theirs }
}

function plausible(figure: number): number {
  if (!(figure > 0 && Number.isFinite(figure))) throw new Error(`a measurement gave ${figure}`)
  return figure
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface Ratio {
  readonly median: number
  /** Over the pairs. With five of them the true median is between these two with a probability of 94 %. */
  readonly lowest: number
  readonly highest: number
}

/** Describes the bound that the figures miss; null when they meet all. */
export function missedBound({ name, bound = {} }: Comparison, measured: Measured): string | null {
  const ours = median(measured.ours)
  const ratio = ratioOf(measured)?.median
  const missed = [
    bound.most !== undefined && ours > bound.most && `${ours.toFixed(0)} is more than ${bound.most}`,
    bound.least !== undefined && ours < bound.least && `${ours.toFixed(0)} is less than ${bound.least}`,
    bound.mostOfPeer !== undefined &&
      !(ratio !== undefined && ratio <= bound.mostOfPeer) &&
      `${ratio?.toFixed(2) ?? 'nothing'} × the peer is more than ${bound.mostOfPeer} ×`,
  ].filter((words) => words !== false)
  return missed.length === 0 ? null : `${name}: ${missed.join(', ')}`
}

/** Returns ours over the peer's, pair by pair; null without a peer. */
export function ratioOf({ ours, theirs }: Pick<Measured, 'ours' | 'theirs'>): Ratio | null {
  if (theirs.length === 0) return null
  const ratios = ours.map((own, pair) => own / theirs[pair]!)
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
}
