/** Keeps a serial console's output while this page is open: leaving the screen and coming back loses nothing. */
import { session } from '../../ui/runtime/session.ts'

/** About five thousand full lines: the terminal's scrollback. */
const MAX_CACHED_BYTES = 400_000

interface History {
  readonly parts: Uint8Array[]
  size: number
}

const histories = new Map<number, History>()

export function remember(routerId: number, bytes: Uint8Array): void {
  const history = histories.get(routerId) ?? { parts: [], size: 0 }
  histories.set(routerId, history)
  history.parts.push(bytes)
  history.size += bytes.length
  while (history.size > MAX_CACHED_BYTES) history.size -= history.parts.shift()?.length ?? history.size
}

export const recall = (routerId: number): readonly Uint8Array[] => histories.get(routerId)?.parts ?? []

// One user must not see another's output.
session.subscribe(() => {
  if (!session.current()) histories.clear()
})
