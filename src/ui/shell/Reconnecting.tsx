import { useSyncExternalStore } from 'react'
import { streamState } from '../live/event-stream.ts'
import { Spinner } from '../components/Spinner.tsx'

/** Says that change events have stopped, so what is on screen may be old. */
export function Reconnecting() {
  const state = useSyncExternalStore(streamState.subscribe, streamState.current)
  return (
    <output className="sticky block top-0 z-20 max-md:top-12">
      {state === 'lost' && (
        <span className="flex items-center justify-center gap-2 border-b border-warn/40 bg-warn-soft px-4 py-1.5 text-sm">
          <span className="text-warn">
            <Spinner />
          </span>
          Reconnecting. What you see may be out of date.
        </span>
      )}
    </output>
  )
}
