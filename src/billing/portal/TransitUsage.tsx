import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { DownloadLink } from '../../portal/ui/DownloadLink.tsx'
import { Amount } from '../../portal/ui/Amount.tsx'
import { Section } from '../../portal/ui/PageHeader.tsx'
import { PropertyTable } from '../../portal/ui/PropertyTable.tsx'
import { bitRate } from '../../portal/ui/quantity.ts'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { TimeChart, TimeChartSkeleton, type TimeLevel } from '../../portal/ui/TimeChart.tsx'
import type { TransitStanding } from '../contract.ts'
import { overview, transitSamples, transitStanding } from './api.ts'
import { money } from './billing-words.ts'
import { busiestOfEach } from './chart-points.ts'
import { forecastWords } from './forecast-words.ts'

const CHART_HEIGHT = 168

type Piece = TransitStanding['pieces'][number]

const DIRECTION = {
  MAX: 'Larger direction of each 5-minute sample',
  SUM: 'Sum of both directions',
  SEPARATE: 'Each direction separately; the higher percentile is billed',
} as const

/** Where the percentile stands and where it leads. Nothing for those to whom no terms apply. */
export function TransitUsage() {
  const { pieces } = useSuspenseQuery(transitStanding()).data
  const { currency, month } = useSuspenseQuery(overview()).data
  const [now] = useState(() => new Date())
  const piece = pieces.findLast((one) => one.slots > 0)
  // The list is for everybody: whoever has nothing yet needs no picture of no traffic.
  const unused = piece?.subject.startsWith('list:') && !piece.measured && month.lines.length === 0
  if (!piece || unused) return null
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
        piece={piece}
        currency={currency}
        now={now}
        discounted={month.lines.some(({ kind }) => kind === 'DISCOUNT')}
      />
      <Samples piece={piece} />
      <div className="mt-2">
        <PropertyTable items={facts(piece, currency)} />
      </div>
    </Section>
  )
}

interface YouAreHereProps {
  readonly piece: Piece
  readonly currency: string
  readonly now: Date
  readonly discounted: boolean
}

function YouAreHere({ piece, currency, now, discounted }: YouAreHereProps) {
  const { tone, word, samples, end } = forecastWords(piece, currency, now, discounted)
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <span>
        Currently <Amount of={bitRate(piece.percentileBps)} />. {samples} <span className="text-dim">{end}</span>
      </span>
    </p>
  )
}

const facts = (piece: Piece, currency: string) => [
  { label: '95th percentile', value: <Amount of={bitRate(piece.percentileBps)} /> },
  { label: 'Commit', value: <Amount of={bitRate(piece.terms.commitBps)} /> },
  {
    label: 'Burst samples left',
    value: (
      <span className="num">
        {piece.left} <span className="text-faint">of {piece.free} before overage is billed</span>
      </span>
    ),
  },
  {
    label: 'Overage price',
    value: <span className="num">{money(piece.terms.overagePrice, currency)} per Mbit/s</span>,
  },
  { label: 'Measurement', value: DIRECTION[piece.terms.direction], wide: true },
]

function Samples({ piece }: { piece: Piece }) {
  const { data } = useQuery(transitSamples())
  const chart = useMemo(() => data && busiestOfEach(data), [data])
  const { percentileBps, terms } = piece
  const levels = useMemo(
    (): TimeLevel[] => [
      { label: 'Commit', value: terms.commitBps, ink: 'dim' },
      { label: '95th percentile', value: percentileBps, ink: 'warn' },
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
        { label: 'Received', values: series.received, ink: 'accent' },
        { label: 'Sent', values: series.sent, ink: 'ok' },
      ]}
      levels={levels}
      format={bitRate}
      leastTop={1_000_000}
      height={CHART_HEIGHT}
    />
  )
}
