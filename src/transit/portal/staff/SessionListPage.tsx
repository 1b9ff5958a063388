import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import { formatAsn } from '../../../kernel/asn.ts'
import { explainSession, toStaff } from '../../../kernel/bgp-errors.ts'
import { sessionBadge } from '../../../routers/portal/session-labels.ts'
import { buttonClass } from '../../../ui/components/button-variants.ts'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { FILTER_LINK, FilterCount, FilterLinks } from '../../../ui/staff/FilterLinks.tsx'
import { useServerSort } from '../../../ui/table/server-sort.ts'
import { ManagedTable, type Selection } from '../../../ui/table/ManagedTable.tsx'
import { writeSort } from '../../../ui/table/sort-text.ts'
import { useSearch } from '../../../ui/staff/use-search.ts'
import type { StaffSession } from '../../contract.ts'
import { SESSION_FILTERS, SESSION_SORT_COLUMNS, SESSION_SORTS, type SessionFilter } from '../../states.ts'
import { staffTransit } from './api.ts'
import { LimitRequests } from './LimitRequests.tsx'

const route = getRouteApi('/_signed-in/admin/sessions')
const LABELS: Readonly<Record<SessionFilter, string>> = {
  DOWN: 'Down',
  ESTABLISHED: 'Established',
  DISABLED: 'Disabled',
  UNKNOWN: 'Unknown',
}

/** BGP sessions of all customers on all edges, live. */
export function SessionListPage() {
  const { status: asked } = route.useSearch()
  const status = SESSION_FILTERS.find((one) => one === asked?.toUpperCase())
  return (
    <>
      <PageHeader
        title="Sessions"
        actions={
          <>
            <Link to="/admin/inventory/edges" className={buttonClass()}>
              Topology
            </Link>
            <Link to="/admin/looking-glass" className={buttonClass()}>
              Looking glass
            </Link>
          </>
        }
      />
      <Sessions key={status} status={status} />
    </>
  )
}

function Sessions({ status }: { status: SessionFilter | undefined }) {
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const serverSort = useServerSort(SESSION_SORT_COLUMNS)
  const sort = SESSION_SORTS.find((one) => one === writeSort(serverSort.current))
  const filter = { ...(status && { status }), ...(search && { search }), ...(sort && { sort }) }
  const { data, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['GET /api/admin/sessions', filter, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      staffTransit.call['GET /api/admin/sessions'](
        { query: { ...filter, ...(pageParam !== null && { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: { topics: ['session', 'edge', 'connection', 'router'] },
  })
  if (isPending) return <TableSkeleton />
  if (!data) return <ErrorState />
  const { down, established, disabled, unknown } = data.pages[0]!.counts
  const sessions = data.pages.flatMap((page) => page.sessions)
  const counts: Readonly<Record<SessionFilter, number>> = {
    DOWN: down,
    ESTABLISHED: established,
    DISABLED: disabled,
    UNKNOWN: unknown,
  }
  return (
    <>
      <LimitRequests />
      <FilterLinks label="Which sessions">
        <StatusLink current={status} count={down + established + disabled + unknown} />
        {SESSION_FILTERS.map((one) => (
          <StatusLink key={one} status={one} current={status} count={counts[one]} />
        ))}
      </FilterLinks>
      <ManagedTable
        key={round}
        id="sessions"
        selection={SELECTION}
        serverSort={serverSort}
        label="BGP sessions"
        columns={sessions.some(hasMessage) ? COLUMNS : WITHOUT_MESSAGES}
        rows={sessions}
        rowKey={({ customer, family }) => `${customer.id} ${family}`}
        filter="Search customer, ASN, router, hypervisor or edge"
        initialFilter={typed}
        onFilter={setSearch}
        page={{
          hasMore: hasNextPage,
          answered: isAsked && !isPlaceholderData,
          busy: isFetchingNextPage,
          onMore: () => void fetchNextPage(),
        }}
        empty={
          <EmptyState icon="transit" title={status ? `No ${LABELS[status].toLowerCase()} sessions` : 'No sessions yet'}>
            {status === undefined && 'Each connection of a customer to an edge adds one session per address family.'}
          </EmptyState>
        }
      />
    </>
  )
}

const StatusLink = ({
  status,
  current,
  count,
}: {
  status?: SessionFilter
  current: SessionFilter | undefined
  count: number
}) => (
  <Link
    to="/admin/sessions"
    search={({ search, sort }) => ({
      ...(status && { status: status.toLowerCase() }),
      ...(search && { search }),
      ...(sort && { sort }),
    })}
    activeOptions={{ exact: true, explicitUndefined: true }}
    aria-current={status === current ? 'page' : undefined}
    className={FILTER_LINK}
  >
    {status ? LABELS[status] : 'All'} <FilterCount of={count} />
  </Link>
)

const hasMessage = ({ lastError, shutdownMessage }: StaffSession): boolean => (shutdownMessage ?? lastError) !== null

const SELECTION: Selection<StaffSession> = { nameOf: ({ customer, family }) => `${fullName(customer)}, IPv${family}` }

const CONTROL_LABELS = {
  SHUT_DOWN: 'by the customer',
  OVER_LIMIT: 'over its limit',
  DRAINED: 'drained by the customer',
} as const

/** Explains the error to readers who do not know BIRD. The original error below it helps to find the line in the edge's log. */
function Why({ session }: { session: StaffSession }) {
  const cause = session.state === 'ESTABLISHED' || !session.stateKnown ? null : explainSession(session)?.cause
  if (!cause) return session.lastError
  return (
    <>
      {toStaff(cause)}
      {session.lastError && <span className="block text-xs text-faint">{session.lastError}</span>}
    </>
  )
}

const COLUMNS: readonly Column<StaffSession>[] = [
  {
    id: 'customer',
    header: 'Customer',
    csv: ({ customer }) => fullName(customer),
    cell: ({ customer, asn }) => (
      <>
        <UserLink id={customer.id} user={customer} />{' '}
        {asn !== null && <span className="num font-mono text-xs text-faint">{formatAsn(asn)}</span>}
      </>
    ),
  },
  { id: 'family', header: 'Family', csv: ({ family }) => `IPv${family}`, cell: ({ family }) => `IPv${family}` },
  {
    id: 'state',
    header: 'State',
    csv: ({ state, stateKnown }) => (stateKnown ? sessionBadge(state).label : 'Unknown'),
    cell: ({ state, stateKnown, control }) => {
      const { tone, label } = sessionBadge(state)
      return stateKnown ? (
        <StatusBadge tone={tone}>{control === null ? label : `${label}, ${CONTROL_LABELS[control]}`}</StatusBadge>
      ) : (
        <StatusBadge tone="unknown" note={`${label} when last seen`}>
          Unknown
        </StatusBadge>
      )
    },
  },
  {
    id: 'since',
    header: 'Since',
    csv: ({ since, stateKnown }) => (stateKnown ? since : null),
    cell: ({ since, stateKnown }) => (since && stateKnown ? <Time at={since} /> : <EmptyValue />),
  },
  {
    id: 'error',
    header: 'Last error or message',
    csv: ({ lastError, shutdownMessage }) => shutdownMessage ?? lastError,
    wideOnly: true,
    cell: (session) => session.shutdownMessage ?? <Why session={session} />,
  },
  {
    id: 'router',
    header: 'Router',
    csv: ({ router }) => router?.name,
    cell: ({ router }) =>
      router && (
        <Link
          to="/admin/routers/$id"
          params={{ id: router.id }}
          title={router.name}
          className="link relative z-1 line-clamp-1 max-w-40 break-all"
        >
          {router.name}
        </Link>
      ),
  },
  {
    id: 'edge',
    header: 'Edge',
    wideOnly: true,
    hiddenAtFirst: true,
    csv: ({ edge }) => edge.name,
    cell: ({ edge }) => <span className="whitespace-nowrap">{edge.name}</span>,
  },
  {
    id: 'flaps',
    header: 'Flaps (24 h)',
    csv: ({ flaps }) => flaps,
    align: 'right',
    cell: ({ flaps }) => <span className={`num ${flaps > 0 ? '' : 'text-faint'}`}>{flaps}</span>,
  },
  {
    id: 'received',
    header: 'Received',
    csv: ({ received }) => received,
    align: 'right',
    cell: ({ received, receiveLimit }) => (
      <span className="num whitespace-nowrap">
        {received} <span className="text-faint">of {receiveLimit}</span>
      </span>
    ),
  },
  {
    id: 'accepted',
    header: 'Accepted',
    csv: ({ accepted }) => accepted,
    align: 'right',
    cell: ({ accepted, importLimit }) => (
      <span className="num whitespace-nowrap">
        {accepted} {importLimit !== null && <span className="text-faint">of {importLimit}</span>}
      </span>
    ),
  },
]

/** The column of messages would be the widest, and empty. */
const WITHOUT_MESSAGES = COLUMNS.filter(({ id }) => id !== 'error')
