import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/components/Button.tsx'
import { DataTable } from '../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../ui/components/EmptyState.tsx'
import { TableSkeleton } from '../../ui/components/Skeleton.tsx'
import { DELIVERY_TOPICS, webhooks } from './api.ts'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { deliveryColumns } from './delivery-columns.tsx'

const PAGE = 50

/** The deliveries to one endpoint, newest first, live. */
export function Deliveries({ endpointId, enabled }: { endpointId: number; enabled: boolean }) {
  const [open, setOpen] = useState<number | null>(null)
  const log = useInfiniteQuery({
    queryKey: ['GET /api/webhooks/{id}/deliveries', endpointId],
    queryFn: ({ pageParam, signal }) =>
      webhooks.call['GET /api/webhooks/{id}/deliveries'](
        { params: { id: endpointId }, query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
        { signal, notify: false },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    meta: { topics: DELIVERY_TOPICS },
  })
  if (log.isPending) return <TableSkeleton rows={6} />
  if (log.isError) {
    return (
      <ErrorState retry={<Button onClick={() => void log.refetch()}>Try again</Button>}>
        Messages are still sent; only this list is unavailable.
      </ErrorState>
    )
  }
  return (
    <>
      <DataTable
        label="Deliveries"
        columns={deliveryColumns((delivery) => setOpen(delivery.id))}
        rows={log.data.pages.flatMap((page) => page.deliveries)}
        rowKey={(delivery) => delivery.id}
        page={{ hasMore: log.hasNextPage, busy: log.isFetchingNextPage, onMore: () => void log.fetchNextPage() }}
        empty={
          <EmptyState icon="mail" title="Nothing sent yet">
            Send a ping to check delivery.
          </EmptyState>
        }
      />
      {open !== null && (
        <DeliveryDialog endpointId={endpointId} deliveryId={open} enabled={enabled} onClose={() => setOpen(null)} />
      )}
    </>
  )
}
