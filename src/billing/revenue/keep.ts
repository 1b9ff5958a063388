/** What is dear to compute is kept a while; what is not is computed each time, so that few customers see changes at once. */
const DEAR_MS = 1_000
const TIMES = 20
const LONGEST_MS = 60_000

/** Callers at the same time share one computation; a failed one is not kept. */
export function keepDear<T>(compute: () => Promise<T>, dearMs = DEAR_MS): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; until: number } | undefined
  return () => {
    const began = performance.now()
    if (kept && began < kept.until) return kept.answer
    const own = { answer: compute(), until: Number.POSITIVE_INFINITY }
    kept = own
    own.answer.then(
      () => {
        const ended = performance.now()
        const took = ended - began
        own.until = took < dearMs ? 0 : ended + Math.min(LONGEST_MS, TIMES * took)
      },
      () => (own.until = 0),
    )
    return own.answer
  }
}
