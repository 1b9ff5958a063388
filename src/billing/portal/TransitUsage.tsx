import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Amount } from '../../portal/ui/Amount.tsx'
import { Section } from '../../portal/ui/PageHeader.tsx'
import { PropertyTable } from '../../portal/ui/PropertyTable.tsx'
import { bitRate } from '../../portal/ui/quantity.ts'
import { Skeleton } from '../../portal/ui/Skeleton.tsx'
import { TimeChart } from '../../portal/ui/TimeChart.tsx'
import type { TransitStanding } from '../contract.ts'
import { overview, transitSamples, transitStanding } from './api.ts'
import { money } from './billing-words.ts'
import { busiestOfEach } from './chart-points.ts'

const DIRECTION = {
  MAX: 'The greater direction of each five minutes',
  SUM: 'Both directions together',
  SEPARATE: 'Each direction alone, the greater percentile counts',
} as const

/** Where the percentile stands. Nothing for those to whom no terms apply. */
export function TransitUsage() {
  const { pieces } = useSuspenseQuery(transitStanding()).data
  const { currency } = useSuspenseQuery(overview()).data
  const now = pieces.findLast((piece) => piece.slots > 0)
  if (!now) return null
  return (
    <Section
      title="IP transit"
      summary="The busiest twentieth of the month's five-minute samples is free; the busiest of the rest is billed."
      actions={
        <a href="/api/billing/transit/samples.csv" download className="text-sm font-medium text-accent hover:underline">
          Download samples
        </a>
      }
    >
      <PropertyTable items={facts(now, currency)} />
      <div className="mt-2">
        <Samples />
      </div>
    </Section>
  )
}

const facts = (piece: TransitStanding['pieces'][number], currency: string) => [
  { label: '95th percentile', value: <Amount of={bitRate(piece.percentileBps)} /> },
  { label: 'Commit', value: <Amount of={bitRate(piece.terms.commitBps)} /> },
  {
    label: 'Samples left',
    value: (
      <span className="num">
        {piece.left} <span className="text-faint">of {piece.free} above the commit before they cost</span>
      </span>
    ),
  },
  { label: 'Above it', value: <span className="num">{money(piece.terms.overagePrice, currency)} per Mbit/s</span> },
  { label: 'Measured', value: DIRECTION[piece.terms.direction], wide: true },
]

function Samples() {
  const { data } = useQuery(transitSamples())
  if (!data) return <Skeleton className="h-44 w-full" />
  const { times, series } = busiestOfEach(data)
  return (
    <TimeChart
      label="Traffic of this month"
      times={times}
      series={[
        { label: 'Received', values: series.received, ink: 'accent' },
        { label: 'Sent', values: series.sent, ink: 'ok' },
      ]}
      format={bitRate}
      leastTop={1_000_000}
    />
  )
}
