import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../ui/components/EmptyState.tsx'
import { TimeChartSkeleton } from '../../../ui/components/TimeChart.tsx'
import { revenueDays } from './api.ts'
import { RevenueChart } from './RevenueChart.tsx'

/** The chart beside the numbers. The page neither waits for it nor depends on it. */
export function RevenueOverview({ height, label }: { height: number; label?: string }) {
  const { data, isError } = useQuery(revenueDays())
  if (isError) return <ErrorState title="The chart could not be loaded">The figures beside it are correct.</ErrorState>
  if (data) return <RevenueChart data={data} height={height} {...(label && { label })} />
  return (
    <>
      <TimeChartSkeleton height={height} />
      {/* Placeholder for the line that opens the chart's numbers. */}
      <div className="mt-2 h-5 lg:col-start-2" />
    </>
  )
}
