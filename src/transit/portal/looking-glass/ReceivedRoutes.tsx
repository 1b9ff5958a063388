import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { ReceivedRoute } from '../../contract.ts'
import { transit } from '../api.ts'

/** Far below the queries that an account may send per minute. */
const REFRESH_MS = 15_000

/** Every route that the customer's router announces, rejected routes first. */
export function ReceivedRoutes() {
  return (
    <Section title="Received from you" summary="Routes that your router announces, rejected routes first.">
      <Received />
    </Section>
  )
}

function Received() {
  const [filter, setFilter] = useState('')
  const isSearch = /^[\da-f:./]{0,50}$/i.test(filter)
  const search = isSearch ? filter : ''
  const { data, isPending, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['received routes', search],
    queryFn: ({ pageParam, signal }) =>
      transit.call['GET /api/transit_connection/routes'](
        { query: { ...(search && { search }), ...(pageParam !== null && { after: pageParam }) } },
        { signal, notify: () => false },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['session', 'connection'] },
  })
  if (isPending) return <TableSkeleton />
  if (!data) return <ErrorState />
  const { accepted, refused, complete, error } = data.pages[0]!
  if (error) return <ErrorState title="The edge could not be asked">{error}</ErrorState>
  return (
    <>
      <p className="mb-2 text-sm text-dim">
        {accepted} accepted, {refused} rejected.
        {!complete && ' There are more: the edge lists the first 5,000, rejected routes first.'}
      </p>
      <DataTable
        label="Received routes"
        columns={COLUMNS}
        rows={isSearch ? data.pages.flatMap((page) => page.routes) : []}
        rowKey={({ prefix }) => prefix}
        filter="Search a prefix or address"
        onFilter={(text) => setFilter(text.trim())}
        page={{
          hasMore: hasNextPage,
          answered: !isPlaceholderData,
          busy: isFetchingNextPage,
          onMore: () => void fetchNextPage(),
          total: accepted + refused,
        }}
        empty={
          <EmptyState icon="transit" title="Your router announces nothing">
            The session is down, or its export filter lets nothing pass.
          </EmptyState>
        }
      />
    </>
  )
}

const COLUMNS: readonly Column<ReceivedRoute>[] = [
  { id: 'prefix', header: 'Prefix', cell: ({ prefix }) => <span className="font-mono font-medium">{prefix}</span> },
  {
    id: 'state',
    header: 'State',
    besideName: true,
    cell: ({ accepted, since }) => (
      <StatusBadge tone={accepted ? 'ok' : 'bad'} note={since && <Time at={since} as="since" />}>
        {accepted ? 'Accepted' : 'Rejected'}
      </StatusBadge>
    ),
  },
  {
    id: 'reason',
    header: 'Reason and fix',
    cell: ({ reason }) =>
      reason ? (
        <>
          <span>{reason.text}</span> <span className="text-dim">{reason.fix}</span>
        </>
      ) : (
        <EmptyValue />
      ),
  },
  {
    id: 'path',
    header: 'AS path',
    cell: ({ asPath }) => <span className="font-mono wrap-anywhere">{asPath || 'unknown'}</span>,
  },
  {
    id: 'hop',
    header: 'Next hop',
    wideOnly: true,
    cell: ({ nextHop }) => <span className="font-mono">{nextHop}</span>,
  },
  {
    id: 'communities',
    header: 'Communities',
    wideOnly: true,
    cell: ({ communities }) => <span className="font-mono text-xs wrap-anywhere">{communities.join(' ')}</span>,
  },
]
