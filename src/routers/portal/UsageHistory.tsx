import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { FILTER_BADGE } from '../../ui/components/filter-variants.ts'
import { ErrorState } from '../../ui/components/EmptyState.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { bitRate, percent } from '../../ui/components/quantity.ts'
import { ResetZoom, TimeChart, TimeChartSkeleton, type TimeChartProps } from '../../ui/components/TimeChart.tsx'
import type { TimeSpan } from '../../ui/components/time-span.ts'
import type { Query } from '../../ui/runtime/client.ts'
import type { MetricsSeries } from '../contract.ts'
import { saveSeries, type MemoryUnit } from './saved-series.ts'

/** Measurements arrive by the clock, so no change event announces them. */
const READ_AGAIN_MS = 30_000

const HOUR_MS = 3_600_000
const RANGES = [
  { label: '1 hour', hours: 1 },
  { label: '24 hours', hours: 24 },
  { label: '7 days', hours: 7 * 24 },
  { label: '30 days', hours: 30 * 24 },
] as const

interface Span {
  readonly from?: string
  readonly to?: string
}

export interface UsageHistoryProps {
  readonly title: string
  /** Of what is measured, for the file. */
  readonly name: string
  /** Charts of one group share their crosshair. */
  readonly group: string
  readonly read: (query: Span) => Query<MetricsSeries>
  readonly memory: Pick<TimeChartProps, 'format' | 'leastTop' | 'binary'>
  /** In the file. */
  readonly memoryUnit: MemoryUnit
  /** Says what could not be loaded. */
  readonly failure: string
  /** Shown in place of the charts when nothing was measured. */
  readonly empty?: ReactNode
}

/** Without a start the server returns the last hour, in its finest steps. */
const queryOf = (hours: number, span: TimeSpan | null, now: number): Span =>
  span
    ? { from: span.from.toISOString(), to: span.to.toISOString() }
    : hours === 1
      ? {}
      : { from: new Date(now - hours * HOUR_MS).toISOString() }

/** Longer ranges advance by the five-minute slots in which they are measured. */
function useFiveMinutes(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 300_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** CPU, memory and traffic over a chosen range. */
export function UsageHistory({ title, name, group, read, memory, memoryUnit, failure, empty }: UsageHistoryProps) {
  const [hours, setHours] = useState<number>(RANGES[0].hours)
  const [span, setSpan] = useState<TimeSpan | null>(null)
  const now = useFiveMinutes()
  const { data, isError, refetch } = useQuery({
    ...read(queryOf(hours, span, now)),
    refetchInterval: span ? false : READ_AGAIN_MS,
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title={title}
      actions={
        <>
          {span && <ResetZoom onReset={() => setSpan(null)} />}
          <fieldset aria-label="Range" className="inline-flex">
            {RANGES.map((range) => (
              <button
                key={range.hours}
                type="button"
                aria-pressed={range.hours === hours}
                className={FILTER_BADGE}
                onClick={() => {
                  setHours(range.hours)
                  setSpan(null)
                }}
              >
                {range.label}
              </button>
            ))}
          </fieldset>
          <Button
            size="sm"
            icon="download"
            disabledReason={data ? null : 'No data yet.'}
            changes={false}
            onClick={() => data && saveSeries(name, data, memoryUnit)}
          >
            CSV
          </Button>
        </>
      }
    >
      {isError && !data ? (
        <ErrorState
          retry={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {failure}
        </ErrorState>
      ) : data && empty && !isMeasured(data) ? (
        empty
      ) : (
        <div className="grid gap-3 lg:grid-cols-3">
          {data ? (
            <Charts data={data} memory={memory} live={span === null} group={group} onZoom={setSpan} />
          ) : (
            ['CPU', 'Memory', 'Traffic'].map((label) => <TimeChartSkeleton key={label} />)
          )}
        </div>
      )}
    </Section>
  )
}

const isMeasured = ({ cpu, memory, rx, tx }: MetricsSeries): boolean =>
  [cpu, memory, rx, tx].some((values) => values.some((value) => value !== null))

type ChartsProps = Required<Pick<TimeChartProps, 'live' | 'group' | 'onZoom'>> &
  Pick<UsageHistoryProps, 'memory'> & { readonly data: MetricsSeries }

function Charts({ data: { times, cpu, memory, rx, tx }, memory: scale, ...common }: ChartsProps) {
  return (
    <>
      <TimeChart
        label="CPU"
        times={times}
        {...common}
        series={[{ label: 'CPU', values: cpu, color: 'accent' }]}
        format={percent}
        leastTop={0.2}
      />
      <TimeChart
        label="Memory"
        times={times}
        {...common}
        series={[{ label: 'Memory', values: memory, color: 'accent' }]}
        {...scale}
      />
      <TimeChart
        label="Traffic"
        times={times}
        {...common}
        series={[
          { label: 'In', values: rx, color: 'accent' },
          { label: 'Out', values: tx, color: 'ok', down: true },
        ]}
        format={bitRate}
        leastTop={10_000}
      />
    </>
  )
}
