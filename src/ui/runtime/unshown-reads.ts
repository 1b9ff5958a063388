/**
 * Reads that no page shows: for a page that was left before they arrived, a hovered link, or an outdated search. Each
 * cache reports which of its reads are unshown, and they are canceled once another page is shown.
 */
type CallOff = () => void

/**
 * Finds reads under way that nothing on screen waits for. The returned function cancels those that are still unshown.
 */
type Find = () => CallOff

const caches = new Set<Find>()

export const findUnshownIn = (find: Find): void => void caches.add(find)

/** The next page may be waiting for a read that is under way now: it is canceled only if that page does not use it. */
export function findUnshownReads(): CallOff {
  const found = [...caches].map((find) => find())
  return () => {
    for (const callOff of found) callOff()
  }
}
