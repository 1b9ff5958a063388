import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { DownloadLink } from '../../ui/components/DownloadLink.tsx'
import { Amount } from '../../ui/components/Amount.tsx'
import { Section } from '../../ui/components/PageHeader.tsx'
import { PropertyTable } from '../../ui/components/PropertyTable.tsx'
import { bitRate } from '../../ui/components/quantity.ts'
import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import { TimeChart, TimeChartSkeleton, type TimeLevel } from '../../ui/components/TimeChart.tsx'
import type { TransitUsageToDate } from '../contract.ts'
import { overview, transitSamples, transitUsageToDate } from './api.ts'
import { money } from './billing-labels.ts'
import { busiestOfEach } from './chart-points.ts'
import { forecastLabels } from './forecast-labels.ts'

const CHART_HEIGHT = 168

type RateSegment = TransitUsageToDate['segments'][number]

const DIRECTION = {
  MAX: 'Larger direction of each 5-minute sample',
  SUM: 'Sum of both directions',
  SEPARATE: 'Each direction separately; the higher percentile is billed',
} as const

/** Shows the current percentile and its forecast. Renders nothing if no terms apply. */
export function TransitUsage() {
  const { segments } = useSuspenseQuery(transitUsageToDate()).data
  const { currency, month } = useSuspenseQuery(overview()).data
  const [now] = useState(() => new Date())
  const segment = segments.findLast((one) => one.slots > 0)
  // The price list applies to every customer; one without traffic needs no chart of it.
  const unused = segment?.subject.startsWith('list:') && !segment.measured && month.lines.length === 0
  if (!segment || unused) return null
  return (
    <Section
      title="IP transit"
      summary="Billed at the 95th percentile of 5-minute samples."
      actions={
        <DownloadLink href="/api/billing/transit/samples.csv" label="CSV of the samples">
          CSV
        </DownloadLink>
      }
    >
      <YouAreHere
        segment={segment}
        currency={currency}
        now={now}
        discounted={month.lines.some(({ kind }) => kind === 'DISCOUNT')}
      />
      <Samples segment={segment} />
      <div className="mt-2">
        <PropertyTable items={items(segment, currency)} />
      </div>
    </Section>
  )
}

interface YouAreHereProps {
  readonly segment: RateSegment
  readonly currency: string
  readonly now: Date
  readonly discounted: boolean
}

function YouAreHere({ segment, currency, now, discounted }: YouAreHereProps) {
  const { tone, label, samples, end } = forecastLabels(segment, currency, now, discounted)
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <span>
        95th percentile so far: <Amount of={bitRate(segment.percentileBps)} />. {samples}{' '}
        <span className="text-dim">{end}</span>
      </span>
    </p>
  )
}

const items = (segment: RateSegment, currency: string) => [
  { label: '95th percentile', value: <Amount of={bitRate(segment.percentileBps)} /> },
  { label: 'Commit', value: <Amount of={bitRate(segment.terms.commitBps)} /> },
  {
    label: 'Burst samples left',
    value: (
      <span className="num">
        {segment.left} <span className="text-faint">of {segment.free} before overage is billed</span>
      </span>
    ),
  },
  {
    label: 'Overage price',
    value: <span className="num">{money(segment.terms.overagePrice, currency)} per Mbit/s</span>,
  },
  { label: 'Measurement', value: DIRECTION[segment.terms.direction], wide: true },
]

function Samples({ segment }: { segment: RateSegment }) {
  const { data } = useQuery(transitSamples())
  const chart = useMemo(() => data && busiestOfEach(data), [data])
  const { percentileBps, terms } = segment
  const levels = useMemo(
    (): TimeLevel[] => [
      { label: 'Commit', value: terms.commitBps, color: 'dim' },
      { label: '95th percentile', value: percentileBps, color: 'warn' },
    ],
    [percentileBps, terms.commitBps],
  )
  if (!chart) return <TimeChartSkeleton height={CHART_HEIGHT} />
  const { times, series } = chart
  return (
    <TimeChart
      utc
      label="Traffic of this month"
      times={times}
      series={[
        { label: 'Received', values: series.received, color: 'accent' },
        // If the sum of both is billed, the levels are sums, so no series points down.
        { label: 'Sent', values: series.sent, color: 'ok', down: terms.direction !== 'SUM' },
      ]}
      levels={levels}
      format={bitRate}
      leastTop={1_000_000}
      height={CHART_HEIGHT}
    />
  )
}
