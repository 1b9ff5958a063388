import { useQuery } from '@tanstack/react-query'
import { TimeChart, TimeChartSkeleton } from '../../ui/components/TimeChart.tsx'
import { costByDay } from './api.ts'
import { moneyQuantity } from './billing-labels.ts'

const HEIGHT = 120

/** Chart of the charges of the month so far, with the projection. */
export function CostByDay() {
  const { data, isError } = useQuery(costByDay())
  // The totals above and the lines below are still shown; only the chart is missing.
  if (isError && !data) return null
  if (!data) return <TimeChartSkeleton height={HEIGHT} />
  return (
    <TimeChart
      utc
      label="Charges so far this month"
      times={data.days.map((day) => day.at)}
      series={[
        { label: 'So far', values: data.days.map((day) => day.accrued), color: 'accent' },
        { label: 'Projected', values: data.days.map((day) => day.projected), color: 'ok' },
      ]}
      format={(amount, like) => moneyQuantity(amount, data.currency, like)}
      leastTop={100}
      height={HEIGHT}
    />
  )
}
