import { useInfiniteQuery } from '@tanstack/react-query'
import { TRAIL_NEWS } from '../../../kernel/news.ts'
import { Absent } from '../../../portal/ui/Absent.tsx'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { ErrorState } from '../../../portal/ui/EmptyState.tsx'
import { Section } from '../../../portal/ui/PageHeader.tsx'
import { Button } from '../../../portal/ui/Button.tsx'
import { TableSkeleton } from '../../../portal/ui/Skeleton.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { AuditEvent } from '../../contract.ts'
import { accounts } from '../api.ts'
import { describeEvent } from './trail-words.ts'

const PAGE = 50

/** Everything that was done in the account, by whomever. */
export default function ActivityTab() {
  const trail = useInfiniteQuery({
    queryKey: ['GET /api/audit_events', 'pages'],
    queryFn: ({ pageParam, signal }) =>
      accounts.call['GET /api/audit_events'](
        { query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } },
        { signal, notify: false },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    meta: { news: TRAIL_NEWS },
  })
  return (
    <Section
      title="Activity"
      summary="Actions by you, our staff and system. Don’t recognize something? Change your password."
    >
      {trail.isPending && <TableSkeleton rows={10} />}
      {trail.isError && (
        <ErrorState retry={<Button onClick={() => void trail.refetch()}>Try again</Button>}>
          The activity log itself is not affected.
        </ErrorState>
      )}
      {trail.data && (
        <DataTable
          label="Activity"
          columns={COLUMNS}
          rows={trail.data.pages.flatMap((page) => page.events)}
          rowKey={(event) => event.id}
          filter="Filter activity"
          page={{
            hasMore: trail.hasNextPage,
            busy: trail.isFetchingNextPage,
            onMore: () => void trail.fetchNextPage(),
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
    cell: ({ ip }) => (ip ? <span className="num font-mono text-xs text-dim">{ip}</span> : <Absent />),
    text: (event) => event.ip ?? '',
  },
  { id: 'when', header: 'When', cell: (event) => <Time at={event.at} />, align: 'right', besideName: true },
]
