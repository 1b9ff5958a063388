import type { SqlTiming } from '../request-log-entry.ts'
import { barDuration } from './bar-time.ts'

/** Statements in the order they ran; the slowest is bold. */
export function SqlTimings({ timings }: { timings: readonly SqlTiming[] }) {
  if (timings.length === 0) return <p className="text-faint">None.</p>
  const slowest = Math.max(...timings.map((timing) => timing.duration_milliseconds))
  return (
    <ol className="divide-y divide-line border-y border-line">
      {timings.map((timing) => (
        <li key={timing.id} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-3 py-1">
          <span className={`num text-right ${timing.duration_milliseconds === slowest ? 'font-semibold' : 'text-dim'}`}>
            {barDuration(timing.duration_milliseconds)}
          </span>
          <code className="whitespace-pre-wrap wrap-anywhere">{timing.formatted_command_string}</code>
        </li>
      ))}
    </ol>
  )
}
