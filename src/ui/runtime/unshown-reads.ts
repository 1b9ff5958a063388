/**
 * Reads that no screen shows: of a screen that was left before it came, of a link that was only hovered, of a search that
 * was typed on. Each cache says which of its reads are such, and they are called off once another screen is there.
 */
type CallOff = () => void

/** Looks for reads under way that nothing on screen waits for; what it returns calls off those of them that still are such. */
type Find = () => CallOff

const caches = new Set<Find>()

export const findUnshownIn = (find: Find): void => void caches.add(find)

/** What is under way now may be what the next screen is waiting for: it is called off only when it proves unwanted. */
export function findUnshownReads(): CallOff {
  const found = [...caches].map((find) => find())
  return () => {
    for (const callOff of found) callOff()
  }
}
