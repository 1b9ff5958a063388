/** What is dear to compute is kept a while, and what is cheap hardly at all: few customers see changes at once. */
const TIMES = 20
const LONGEST_MS = 60_000

/** Callers at the same time share one computation; a failed one is not kept. */
export function keepDear<T>(compute: () => Promise<T>): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; until: number } | undefined
  return () => {
    if (kept && performance.now() < kept.until) return kept.answer
    const began = performance.now()
    const own = { answer: compute(), until: Number.POSITIVE_INFINITY }
    kept = own
    own.answer.then(
      () => {
        const ended = performance.now()
        own.until = ended + Math.min(LONGEST_MS, TIMES * (ended - began))
      },
      () => {
        if (kept === own) kept = undefined
      },
    )
    return own.answer
  }
}
