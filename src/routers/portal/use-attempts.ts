import { useEffect, useState } from 'react'
import { closed, CONNECTING, type ConsoleState } from './console-link.ts'

export interface Attempts {
  readonly state: ConsoleState
  readonly again: () => void
}

/**
 * Keeps one connection at a time: `connect` is called for each, and its signal ends it. A router whose console becomes
 * available is connected to automatically: customers open a console for its boot messages.
 */
export function useAttempts(
  connect: (signal: AbortSignal, become: (state: ConsoleState) => void) => void,
  blockedReason: string | null,
): Attempts {
  const [attempt, setAttempt] = useState(0)
  const [latest, setLatest] = useState({ attempt, state: CONNECTING })
  const refused = blockedReason !== null
  useEffect(() => {
    if (refused) return
    const ends = new AbortController()
    connect(ends.signal, (state) => {
      if (!ends.signal.aborted) setLatest({ attempt, state })
    })
    return () => {
      ends.abort()
      setLatest({ attempt, state: CONNECTING })
    }
  }, [connect, refused, attempt])
  const current = latest.attempt === attempt ? latest.state : CONNECTING
  return {
    state: blockedReason === null ? current : closed(blockedReason),
    again: () => setAttempt((count) => count + 1),
  }
}
