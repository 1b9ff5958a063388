import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDutyRefusal } from '../../../portal/duty.ts'
import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { PageHeader } from '../../../portal/ui/PageHeader.tsx'
import { TableSkeleton } from '../../../portal/ui/Skeleton.tsx'
import { queueOf, staff } from '../api.ts'
import { Crumbs } from '../../../portal/ui/Crumbs.tsx'
import { FileLink } from '../FileLink.tsx'
import { useDeed } from '../use-deed.ts'
import { queueColumns } from './queue-columns.tsx'
import { QUEUE_WORDS } from './queue-words.ts'

const route = getRouteApi('/_signed-in/admin/queues/$queue')

/** What waits of one kind. */
export function QueuePage() {
  const { queue } = route.useParams()
  const words = QUEUE_WORDS[queue]
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(queueOf(queue))
  const refusal = useDutyRefusal('support')
  const { act } = useDeed()
  const mail = (id: number, deed: 'retry' | 'dismiss') =>
    act(
      id,
      () => staff.call[`POST /api/admin/mails/{id}/${deed}`]({ params: { id } }),
      deed === 'retry' ? 'Email queued' : 'Dismissed',
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
          columns={queueColumns(queue, { refusal, onMail: mail })}
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
