/* The roles mark the bars as one picture, which an img element cannot contain. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { cx } from '../../ui/components/class-names.ts'
import { calendarDay, clockTime } from '../../ui/components/relative-time.ts'
import type { SessionOutages } from '../contract.ts'
import { STRIP_SPANS, stripOf, stripWords, uptime, type Strip, type StripSpan } from './session-strip.ts'

/** Each session over a day and over a month. The picture's name describes each bar. */
export function SessionStrips({ sessions, now }: { sessions: readonly SessionOutages[]; now: number }) {
  return (
    <div className="@container divide-y divide-line rounded-md border border-line bg-surface">
      {sessions.map((session) => (
        <div
          key={session.family}
          className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 px-3 py-3 @list:grid-cols-2 @list:px-4"
        >
          {STRIP_SPANS.map((span) => (
            <Bars key={span.id} family={session.family} span={span} strip={stripOf(session, span, now)} />
          ))}
        </div>
      ))}
    </div>
  )
}

function Bars({ family, span, strip }: { family: 4 | 6; span: StripSpan; strip: Strip }) {
  const up = uptime(strip)
  return (
    <div>
      <div className="flex items-baseline gap-2 text-sm">
        <span className="font-medium">IPv{family}</span>
        <span className="text-dim">{span.label}</span>
        <span className={cx('num ml-auto font-medium', strip.outages > 0 ? 'text-ink' : 'text-dim')}>
          {up === null ? 'no data' : `${up} up`}
        </span>
      </div>
      <div
        role="img"
        aria-label={`IPv${family}, ${span.label}: ${stripWords(strip)}`}
        className="mt-1.5 flex h-8 gap-px"
      >
        {strip.slots.map((slot) => (
          <Bar key={slot.from} slot={slot} />
        ))}
      </div>
      <div className="mt-1 flex justify-between text-2xs text-faint">
        <span>{span.label} ago</span>
        <span>now</span>
      </div>
    </div>
  )
}

/** The smallest share of a bar that shows an outage, however short it was. */
const LEAST_SHOWN = 0.25

function Bar({ slot }: { slot: Strip['slots'][number] }) {
  const { from, to, up, down, disabled, outages } = slot
  const known = up + down + disabled
  const lost = outages > 0 ? Math.max(LEAST_SHOWN, down / (to - from)) : 0
  return (
    <span
      title={`${spanWords(from, to)}: ${stripWords(slot)}`}
      className={cx(
        'flex min-w-0 flex-1 flex-col justify-end overflow-hidden rounded-sm',
        known === 0 ? 'border border-line bg-sunken' : disabled > up + down ? 'bg-line-strong' : 'bg-ok',
      )}
    >
      {lost > 0 && <span className="bg-bad-fill" style={{ height: `${lost * 100}%` }} />}
    </span>
  )
}

function spanWords(from: number, to: number): string {
  const [begin, end] = [new Date(from), new Date(to)]
  const [day, lastDay] = [calendarDay(begin), calendarDay(end)]
  return `${day} ${minute(begin)} to ${day === lastDay ? '' : `${lastDay} `}${minute(end)}`
}
const minute = (at: Date): string => clockTime(at).slice(0, 5)
