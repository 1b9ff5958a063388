import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { FILTER_BADGE } from '../../ui/components/filter-variants.ts'
import { ErrorState } from '../../ui/components/EmptyState.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { bitRate, mebibytes, percent } from '../../ui/components/quantity.ts'
import { ResetZoom, TimeChart } from '../../ui/components/TimeChart.tsx'
import type { TimeSpan } from '../../ui/components/time-span.ts'
import type { MetricsSeries, Router } from '../contract.ts'
import { routers } from './api.ts'
import { saveSeries } from './saved-series.ts'

/** Measurements arrive by the clock, so no change event announces them. */
const READ_AGAIN_MS = 30_000
const NOTHING: Pick<MetricsSeries, 'times' | 'cpu' | 'memory' | 'rx' | 'tx'> = {
  times: [],
  cpu: [],
  memory: [],
  rx: [],
  tx: [],
}

const HOUR_MS = 3_600_000
const RANGES = [
  { label: '1 hour', hours: 1 },
  { label: '24 hours', hours: 24 },
  { label: '7 days', hours: 7 * 24 },
  { label: '30 days', hours: 30 * 24 },
] as const

/** Without a start the server returns the last hour, in its finest steps. */
const queryOf = (hours: number, span: TimeSpan | null, now: number) =>
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

/** CPU, memory and traffic, on the first screen: they are half of what a customer looks for. */
export function RouterMetrics({ router }: { router: Pick<Router, 'id' | 'name' | 'memory'> }) {
  const [hours, setHours] = useState<number>(RANGES[0].hours)
  const [span, setSpan] = useState<TimeSpan | null>(null)
  const now = useFiveMinutes()
  const query = queryOf(hours, span, now)
  const { data, isError, refetch } = useQuery({
    ...routers.query['GET /api/virtual_machines/{id}/metrics']({ params: { id: router.id }, query }),
    refetchInterval: span ? false : READ_AGAIN_MS,
    placeholderData: keepPreviousData,
  })
  const { times, cpu, memory, rx, tx } = data ?? NOTHING
  const common = { times, live: span === null, group: `router-${router.id}`, onZoom: setSpan }
  return (
    <Section
      title="Usage"
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
            onClick={() => data && saveSeries(router.name, data)}
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
          This router’s metrics could not be loaded.
        </ErrorState>
      ) : (
        <div className="grid gap-3 lg:grid-cols-3">
          <TimeChart
            label="CPU"
            {...common}
            series={[{ label: 'CPU', values: cpu, color: 'accent' }]}
            format={percent}
            leastTop={0.2}
          />
          <TimeChart
            label="Memory"
            {...common}
            series={[{ label: 'Memory', values: memory, color: 'accent' }]}
            format={mebibytes}
            binary
            leastTop={router.memory}
          />
          <TimeChart
            label="Traffic"
            {...common}
            series={[
              { label: 'In', values: rx, color: 'accent' },
              { label: 'Out', values: tx, color: 'ok', down: true },
            ]}
            format={bitRate}
            leastTop={10_000}
          />
        </div>
      )}
    </Section>
  )
}
