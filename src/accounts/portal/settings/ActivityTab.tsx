import { useInfiniteQuery } from '@tanstack/react-query'
import { AUDIT_TOPICS } from '../../../kernel/change-topics.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { ErrorState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { Button } from '../../../ui/components/Button.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { AuditEvent } from '../../contract.ts'
import { accounts } from '../api.ts'
import { describeEvent } from './activity-messages.ts'

const PAGE = 50

/** Lists every action in the account, by any actor. */
export default function ActivityTab() {
  const auditEvents = useInfiniteQuery({
    queryKey: ['GET /api/audit_events', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      accounts.call['GET /api/audit_events'](
        { query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
        { signal, notify: false },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    meta: { topics: AUDIT_TOPICS },
  })
  return (
    <Section
      title="Activity"
      summary="Actions by you, our staff and system. Don’t recognize something? Change your password."
    >
      {auditEvents.isPending && <TableSkeleton rows={10} />}
      {auditEvents.isError && (
        <ErrorState retry={<Button onClick={() => void auditEvents.refetch()}>Try again</Button>}>
          The activity log itself is not affected.
        </ErrorState>
      )}
      {auditEvents.data && (
        <DataTable
          label="Activity"
          columns={COLUMNS}
          rows={auditEvents.data.pages.flatMap((page) => page.events)}
          rowKey={(event) => event.id}
          filter="Filter activity"
          page={{
            hasMore: auditEvents.hasNextPage,
            busy: auditEvents.isFetchingNextPage,
            onMore: () => void auditEvents.fetchNextPage(),
          }}
        />
      )}
    </Section>
  )
}

const BY = { you: 'you', staff: 'staff', system: 'system' } as const

const COLUMNS: readonly Column<AuditEvent>[] = [
  {
    id: 'what',
    header: 'What',
    cell: (event) => <span className="text-base wrap-anywhere">{describeEvent(event)}</span>,
    text: describeEvent,
  },
  {
    id: 'by',
    header: 'By',
    cell: (event) => <span className="text-sm text-dim">{BY[event.by]}</span>,
    text: (event) => BY[event.by],
  },
  {
    id: 'from',
    header: 'From',
    cell: ({ ip }) => (ip ? <span className="num font-mono text-xs text-dim">{ip}</span> : <EmptyValue />),
    text: (event) => event.ip ?? '',
  },
  { id: 'when', header: 'When', cell: (event) => <Time at={event.at} />, align: 'right', besideName: true },
]
