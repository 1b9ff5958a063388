import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../portal/ui/EmptyState.tsx'
import { Skeleton } from '../../../portal/ui/Skeleton.tsx'
import { revenueDays } from './api.ts'
import { RevenueChart } from './RevenueChart.tsx'

/** The picture beside the figures: the screen does not wait for it, and stands without it. */
export function RevenuePicture({ height, label }: { height: number; label?: string }) {
  const { data, isError } = useQuery(revenueDays())
  if (isError) return <ErrorState title="The picture could not be loaded">The figures beside it stand.</ErrorState>
  if (data) return <RevenueChart data={data} height={height} {...(label && { label })} />
  return (
    <div aria-hidden style={{ height: height + 78 }}>
      <Skeleton className="h-full w-full" />
    </div>
  )
}
