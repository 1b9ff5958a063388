import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AUDIT_TOPICS, type Topic } from '../../../kernel/change-topics.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { DataTable } from '../../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { auditLog, type StaffAuditEvent } from './api.ts'
import { auditColumns } from './audit-columns.tsx'
import type { auditQuery } from '../../../ui/staff/audit-search.ts'
import { EventDialog } from './EventDialog.tsx'

const PAGE = 50
/** Includes topics of staff actions that affect no customer. */
const TOPICS: readonly Topic[] = [
  ...AUDIT_TOPICS,
  'hypervisor',
  'edge',
  'site',
  'pool',
  'image',
  'plan',
  'price',
  'tax',
]

export function AuditTable({
  query,
  onSearch,
  typed,
  isAsked,
  narrowed,
}: {
  query: ReturnType<typeof auditQuery>
  onSearch: (text: string) => void
  /** The text of the field when it is mounted. */
  typed: string
  /** True if the typed text is the text of the current query. */
  isAsked: boolean
  narrowed: boolean
}) {
  const [shown, setShown] = useState<StaffAuditEvent | null>(null)
  const events = useInfiniteQuery({
    queryKey: ['GET /api/admin/audit_events', query],
    queryFn: ({ pageParam, signal }) =>
      auditLog.call['GET /api/admin/audit_events'](
        { query: { ...query, limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
        { signal, notify: false },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
    meta: { topics: TOPICS },
  })
  if (events.isPending) return <TableSkeleton rows={12} />
  if (events.isError) {
    return (
      <ErrorState retry={<Button onClick={() => void events.refetch()}>Try again</Button>}>
        The audit log itself is not affected.
      </ErrorState>
    )
  }
  return (
    <>
      <DataTable
        label="Events"
        columns={auditColumns(setShown)}
        rows={events.data.pages.flatMap((page) => page.events)}
        rowKey={(event) => event.id}
        filter="Search user, event or IP address"
        initialFilter={typed}
        onFilter={onSearch}
        page={{
          answered: isAsked && !events.isPlaceholderData,
          hasMore: events.hasNextPage,
          busy: events.isFetchingNextPage,
          onMore: () => void events.fetchNextPage(),
        }}
        {...(narrowed && {
          empty: (
            <EmptyState icon="audit" title="No matching events">
              Remove a filter to see more.
            </EmptyState>
          ),
        })}
      />
      {shown && <EventDialog event={shown} onClose={() => setShown(null)} />}
    </>
  )
}
