/** Random numbers that a seed reproduces: a run that found something can be repeated. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
}

/** mulberry32: 32 bits of state are plenty to vary a workload. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => list[Math.floor(next() * list.length)]!,
    chance: (probability) => next() < probability,
  }
}
