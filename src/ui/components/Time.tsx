import { useSyncExternalStore } from 'react'
import { EmptyValue } from './EmptyValue.tsx'
import { absoluteTime, calendarDay, calendarDayOfUtc, duration, relativeTime } from './relative-time.ts'

/** One clock for all of them: a hundred rows must not mean a hundred timers. */
const TICK_MS = 5_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const watchers = new Set<() => void>()

function watch(watcher: () => void): () => void {
  if (watchers.size === 0) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const notifyWatcher of watchers) notifyWatcher()
    }, TICK_MS)
  }
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) clearInterval(timer)
  }
}

const SHOWN = {
  relative: (at: Date, now: number) => relativeTime(at, new Date(now)),
  since: (at: Date, now: number) => duration(Math.max(0, now - at.getTime())),
  day: calendarDay,
  'utc-day': calendarDayOfUtc,
} as const

/** A relative time, with the absolute time and its zone on hover. `none` replaces a time that has not come. */
export function Time({
  at,
  none,
  as = 'relative',
}: {
  at: string | null | undefined
  none?: string
  as?: keyof typeof SHOWN
}) {
  const current = useSyncExternalStore(watch, () => now)
  if (!at) return none === undefined ? <EmptyValue /> : none && <span className="text-faint">{none}</span>
  const date = new Date(at)
  return (
    <time dateTime={at} title={absoluteTime(date)} className="num whitespace-nowrap">
      {SHOWN[as](date, current)}
    </time>
  )
}
