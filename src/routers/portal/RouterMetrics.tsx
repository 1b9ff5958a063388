import { useQuery } from '@tanstack/react-query'
import { Button } from '../../ui/components/Button.tsx'
import { ErrorState } from '../../ui/components/EmptyState.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { bitRate, mebibytes, percent } from '../../ui/components/quantity.ts'
import { TimeChart } from '../../ui/components/TimeChart.tsx'
import type { MetricsSeries, Router } from '../contract.ts'
import { routers } from './api.ts'
import { saveSeries } from './saved-series.ts'

/** Measurements are taken by the clock, so no news tells of them. */
const READ_AGAIN_MS = 30_000
const NOTHING: Pick<MetricsSeries, 'times' | 'cpu' | 'memory' | 'rx' | 'tx'> = {
  times: [],
  cpu: [],
  memory: [],
  rx: [],
  tx: [],
}

/** CPU, memory and traffic of the last hour: on the first screen, because a router's trace is half of what it is. */
export function RouterMetrics({ router }: { router: Pick<Router, 'id' | 'name' | 'memory'> }) {
  const { data, isError, refetch } = useQuery({
    ...routers.query['GET /api/virtual_machines/{id}/metrics']({ params: { id: router.id }, query: {} }),
    refetchInterval: READ_AGAIN_MS,
  })
  const { times, cpu, memory, rx, tx } = data ?? NOTHING
  return (
    <Section
      title="Last hour"
      actions={
        <Button
          size="sm"
          icon="download"
          disabledReason={data ? null : 'No data yet.'}
          changes={false}
          onClick={() => data && saveSeries(router.name, data)}
        >
          CSV
        </Button>
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
            times={times}
            live
            series={[{ label: 'CPU', values: cpu, color: 'accent' }]}
            format={percent}
            leastTop={0.2}
          />
          <TimeChart
            label="Memory"
            times={times}
            live
            series={[{ label: 'Memory', values: memory, color: 'accent' }]}
            format={mebibytes}
            binary
            leastTop={router.memory}
          />
          <TimeChart
            label="Traffic"
            times={times}
            live
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
