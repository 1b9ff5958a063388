import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../../portal/ui/Skeleton.tsx'
import { revenueDays } from './api.ts'
import { RevenueChart } from './RevenueChart.tsx'

/** The picture below the figures. The dashboard does not wait for it, and stands without it. */
export function DashboardRevenue() {
  const { data, isError } = useQuery(revenueDays())
  if (isError) return null
  return (
    <div className="mt-2">
      {data ? <RevenueChart data={data} height={140} /> : <Skeleton className="h-52 w-full" />}
    </div>
  )
}
