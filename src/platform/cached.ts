/** Caches values that are expensive to compute. Cheap ones are computed each time, so that small installations see changes immediately. */
const EXPENSIVE_MS = 1_000
const TIMES = 20
const LONGEST_MS = 60_000

/** Concurrent callers share one computation; a failed one is not cached. */
export function cached<T>(compute: () => Promise<T>, expensiveMs = EXPENSIVE_MS): () => Promise<T> {
  let cached: { readonly answer: Promise<T>; until: number } | undefined
  return () => {
    const began = performance.now()
    if (cached && began < cached.until) return cached.answer
    const own = { answer: compute(), until: Number.POSITIVE_INFINITY }
    cached = own
    own.answer.then(
      () => {
        const ended = performance.now()
        const took = ended - began
        own.until = took < expensiveMs ? 0 : ended + Math.min(LONGEST_MS, TIMES * took)
      },
      () => (own.until = 0),
    )
    return own.answer
  }
}
