import type { RequestLogEntry } from '../request-log-entry.ts'
import { barDuration, barTime } from './bar-time.ts'
import { SqlTimings } from './SqlTimings.tsx'
import { TimingTree } from './TimingTree.tsx'

export function RequestDetail({ entry }: { entry: RequestLogEntry }) {
  const inSql = entry.sql_timings.reduce((sum, timing) => sum + timing.duration_milliseconds, 0)
  const items: readonly (readonly [label: string, value: string])[] = [
    ['Method', entry.request_method],
    ['Path', entry.request_path],
    ['Duration', barDuration(entry.duration_milliseconds)],
    ['Started', barTime(new Date(entry.started_at))],
    ['SQL', `${entry.sql_count} in ${barDuration(inSql)}`],
  ]
  return (
    // A region that scrolls must be reachable without a mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section tabIndex={0} aria-label="Request" className="overflow-y-auto px-4 py-2.5 -outline-offset-2">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {items.map(([label, value]) => (
          <div key={label} className="flex gap-1.5">
            <dt className="text-faint">{label}</dt>
            <dd className="num font-mono wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-3 mb-1 font-semibold">Timing</h3>
      <TimingTree root={entry.root} />
      <h3 className="mt-3 mb-1 font-semibold">SQL queries</h3>
      <SqlTimings timings={entry.sql_timings} />
    </section>
  )
}
