import { lazy, Suspense, useState } from 'react'
import { Button } from './Button.tsx'
import { EmptyValue } from './EmptyValue.tsx'
import { Amount } from './Amount.tsx'
import type { Quantity } from './quantity.ts'
import { Skeleton } from './Skeleton.tsx'
import { within, type TimeSpan } from './time-span.ts'

const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
const moment = new Intl.DateTimeFormat('en-GB', parts)
const momentOfUtc = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC', timeZoneName: 'short' })
// Fetched with the page's code, and not only once its data arrive.
const drawing = import('./TimeChartCanvas.tsx')
drawing.catch(() => undefined)
const TimeChartCanvas = lazy(() => drawing)

export interface TimeSeries {
  readonly label: string
  /** One for each time; null where nothing was measured, so nothing is drawn. */
  readonly values: readonly (number | null)[]
  readonly color: 'accent' | 'ok'
  /** Drawn downwards from zero, beside another that goes up: two directions of one thing. */
  readonly down?: boolean
}

/** A horizontal line to compare the values with. */
export interface TimeLevel {
  readonly label: string
  readonly value: number
  readonly color: 'warn' | 'dim'
}

export interface TimeChartProps {
  readonly label: string
  /** ISO 8601, ascending. */
  readonly times: readonly string[]
  readonly series: readonly TimeSeries[]
  readonly levels?: readonly TimeLevel[]
  /** Formats a value, on the scale in the unit of its highest mark. */
  readonly format: (value: number, like?: number) => Quantity
  /** The lowest maximum of the scale: noise around zero must not look like a mountain. */
  readonly leastTop: number
  /** Values count in powers of two, and so do the marks of the scale. */
  readonly binary?: boolean
  /** The chart extends to now. An old last measurement is not read out as the current value. */
  readonly live?: boolean
  /** Uses UTC days, as billing does, instead of the reader's. */
  readonly utc?: boolean
  /** On a page of usual width; wider ones have room for more. */
  readonly height?: number
  /** Charts of one group share their crosshair. */
  readonly group?: string
  /** Called when the user selects a time range with the pointer. Without it the chart zooms itself. */
  readonly onZoom?: (span: TimeSpan) => void
}

/** Measurements may be late by this many steps before they count as missing. */
const LATE_STEPS = 6

const HEIGHT = 132
/** Grows with the widest displays. */
const drawnHeight = (height: number): string => `max(${height}px, ${(height / 22).toFixed(1)}vw)`
const FRAME = 'min-w-0 rounded-md border border-line bg-surface p-3 pb-1.5'

/** As high as the chart that is loading. */
export const TimeChartSkeleton = ({ height = HEIGHT }: { height?: number }) => (
  <div aria-hidden className={FRAME}>
    <div className="h-5" />
    <div className="mt-2" style={{ height: drawnHeight(height) }}>
      <Skeleton className="h-full w-full" />
    </div>
  </div>
)

/** Values over time. The header reads out the latest, or those under the pointer. */
export function TimeChart({ height = HEIGHT, live = false, ...whole }: TimeChartProps) {
  const [pointed, setPointed] = useState<number | null>(null)
  const [span, setSpan] = useState<TimeSpan | null>(null)
  const chart = { ...whole, ...(span && within(whole, span)) }
  const measured = chart.series.some(({ values }) => values.some((value) => value !== null))
  const time = pointed === null ? undefined : chart.times[pointed]
  return (
    <figure className={FRAME}>
      <figcaption className="flex min-h-5 flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="font-medium">{chart.label}</span>
        <span className="flex flex-wrap items-baseline gap-x-3">
          {span && <ResetZoom onReset={() => setSpan(null)} />}
          {chart.levels?.map((level) => (
            <span key={level.label} className="inline-flex items-baseline gap-1.5">
              <span
                aria-hidden
                className={`h-0 w-3 -translate-y-1 border-t-2 border-dotted ${level.color === 'warn' ? 'border-warn' : 'border-dim'}`}
              />
              <span className="text-dim">{level.label}</span>
              <Amount of={chart.format(level.value)} />
            </span>
          ))}
          {chart.series.map((one) => (
            <Readout
              key={one.label}
              series={one}
              at={pointed ?? latestIndex(one, live)}
              format={chart.format}
              named={chart.series.length > 1}
            />
          ))}
        </span>
      </figcaption>
      <div className="relative mt-2" style={{ height: drawnHeight(height) }}>
        {/* Over the drawing: in the caption it would wrap the values, and move the page. */}
        {time && (
          <span className="num pointer-events-none absolute top-0 right-0 z-1 rounded-sm bg-surface px-1 text-xs text-faint">
            {(chart.utc ? momentOfUtc : moment).format(new Date(time))}
          </span>
        )}
        {measured ? (
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <TimeChartCanvas {...chart} onZoom={chart.onZoom ?? setSpan} onPoint={setPointed} />
          </Suspense>
        ) : (
          <p className="grid h-full place-items-center text-sm text-faint">No data for this period</p>
        )}
      </div>
    </figure>
  )
}

export const ResetZoom = ({ onReset }: { onReset: () => void }) => (
  <Button size="sm" onClick={onReset} changes={false}>
    Reset zoom
  </Button>
)

function Readout({
  series: { label, values, color, down },
  at,
  format,
  named,
}: {
  series: TimeSeries
  at: number
  format: TimeChartProps['format']
  named: boolean
}) {
  const value = values[at] ?? null
  return (
    <span className="inline-flex items-baseline gap-1.5">
      {named && (
        <>
          <span
            aria-hidden
            className={`h-0.5 w-3.5 -translate-y-1 ${color === 'accent' ? 'bg-accent' : down ? 'bg-ok' : 'bg-[repeating-linear-gradient(90deg,var(--ok)_0_4px,transparent_4px_5px)]'}`}
          />
          <span className="text-dim">{label}</span>
        </>
      )}
      {value === null ? <EmptyValue /> : <Amount of={format(value)} />}
    </span>
  )
}

/** Each line has its own latest value: a projection begins where the earnings end. */
function latestIndex({ values }: TimeSeries, live: boolean): number {
  const latest = values.findLastIndex((value) => value !== null)
  return live && latest < values.length - LATE_STEPS ? -1 : latest
}
