import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMissingRoleReason } from '../../../ui/runtime/required-role.ts'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { queueOf, staff } from '../api.ts'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { FileLink } from '../../../ui/staff/FileLink.tsx'
import { useAction } from '../../../ui/staff/use-action.ts'
import { queueColumns } from './queue-columns.tsx'
import { QUEUE_LABELS } from './queue-labels.ts'

const route = getRouteApi('/_signed-in/admin/queues/$queue')

/** Lists the items of one queue. */
export function QueuePage() {
  const { queue } = route.useParams()
  const words = QUEUE_LABELS[queue]
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(queueOf(queue))
  const blockedReason = useMissingRoleReason('support')
  const { runAction } = useAction()
  const mail = (id: number, action: 'retry' | 'dismiss') =>
    runAction(
      id,
      () => staff.call[`POST /api/admin/mails/{id}/${action}`]({ params: { id } }),
      action === 'retry' ? 'Email queued' : 'Dismissed',
    )
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin">Dashboard</Link>
          </Crumbs>
        }
        title={words.label}
      />
      {data ? (
        <DataTable
          label={words.label}
          columns={queueColumns(queue, { blockedReason, onMail: mail })}
          rows={data.pages.flatMap(({ entries }) => entries)}
          rowKey={(entry) => entry.id}
          tools={<FileLink path={`/api/admin/queues/${queue}.csv`} what={words.label} />}
          page={{ hasMore: hasNextPage, busy: isFetchingNextPage, onMore: () => void fetchNextPage() }}
          empty={
            <EmptyState icon="check" title={words.empty}>
              New items appear here automatically.
            </EmptyState>
          }
        />
      ) : (
        <TableSkeleton />
      )}
    </>
  )
}
