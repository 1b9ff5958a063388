import { useSuspenseQuery } from '@apollo/client/react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { PREFIX_STATUSES, type PrefixStatus } from '../../states.ts'
import { PrefixCounts, PrefixList, type ListedPrefix } from './prefix-documents.ts'
import { FileLink } from '../../../ui/staff/FileLink.tsx'
import { FILTER_LINK, FilterCount, FilterLinks, UnknownFilter } from '../../../ui/staff/FilterLinks.tsx'
import { ManagedTable, type Selection } from '../../../ui/table/ManagedTable.tsx'
import { useServerSort } from '../../../ui/table/server-sort.ts'
import { PREFIX_SORT_COLUMNS, prefixListVariables, readStatus } from './prefix-list-variables.ts'
import { totalOf } from '../../../ui/staff/total-of.ts'
import { StartDeciding } from './DecisionQueue.tsx'
import { prefixColumns } from './prefix-columns.tsx'
import { STATUS_BADGE } from '../prefix-labels.ts'
import { BulkDecision } from './BulkDecision.tsx'
import { useList } from '../../../ui/staff/use-list.ts'
import { useSearch } from '../../../ui/staff/use-search.ts'

const route = getRouteApi('/_signed-in/admin/prefixes/')

export function PrefixListPage() {
  const asked = route.useSearch().status
  const status = readStatus(asked)
  const { data } = useSuspenseQuery(PrefixCounts)
  const counts: Readonly<Record<PrefixStatus, number>> = {
    PENDING: data.pending.totalCount,
    NEEDS_ACTION: data.needsAction.totalCount,
    APPROVED: data.approved.totalCount,
    REJECTED: data.rejected.totalCount,
    SUSPENDED: data.suspended.totalCount,
    WITHDRAWN: data.withdrawn.totalCount,
  }
  return (
    <>
      <PageHeader title="Prefixes" actions={<StartDeciding />} />
      <FilterLinks label="Which prefixes">
        <StatusLink current={status} count={data.all.totalCount} />
        {PREFIX_STATUSES.map((one) => (
          <StatusLink key={one} status={one} current={status} count={counts[one]} />
        ))}
      </FilterLinks>
      {asked !== undefined && !status && <UnknownFilter what="status" value={asked} shown="prefixes" />}
      <PrefixTable key={status ?? 'all'} status={status} />
    </>
  )
}

function StatusLink({
  status,
  current,
  count,
}: {
  status?: PrefixStatus
  current: PrefixStatus | undefined
  count: number
}) {
  const { status: _, ...kept } = route.useSearch()
  return (
    <Link
      to="/admin/prefixes/"
      search={{ ...(status && { status: status.toLowerCase() }), ...kept }}
      activeOptions={{ exact: true, explicitUndefined: true }}
      aria-current={status === current ? 'page' : undefined}
      className={FILTER_LINK}
    >
      {status ? STATUS_BADGE[status].label : 'All'} <FilterCount of={count} />
    </Link>
  )
}

const SELECTION: Selection<ListedPrefix> = {
  nameOf: ({ value }) => value,
  actions: (prefixes, clear) => <BulkDecision selected={prefixes} onDone={clear} />,
}

function PrefixTable({ status }: { status: PrefixStatus | undefined }) {
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const serverSort = useServerSort(PREFIX_SORT_COLUMNS)
  const { data, answered, busy, more } = useList(PrefixList, prefixListVariables(status, search, serverSort.current))
  if (!data) return <TableSkeleton />
  const { nodes, totalCount, pageInfo } = data.transitPrefixes
  return (
    <ManagedTable
      key={round}
      id="prefixes"
      serverSort={serverSort}
      selection={SELECTION}
      label="Prefixes"
      columns={prefixColumns}
      rows={nodes}
      rowKey={(prefix) => prefix.id}
      filter="Search prefix, owner or ASN"
      tools={<FileLink path="/api/admin/transit_prefixes.csv" query={{ status, search }} what="prefixes" />}
      initialFilter={typed}
      onFilter={setSearch}
      page={{
        hasMore: pageInfo.hasNextPage,
        answered: isAsked && answered,
        busy,
        onMore: () => more(pageInfo.endCursor),
        ...totalOf(totalCount, search),
      }}
      empty={
        <EmptyState
          icon="prefix"
          title={status ? `No prefixes with status “${STATUS_BADGE[status].label}”` : 'No prefixes yet'}
        >
          {status === 'PENDING'
            ? 'Requests appear here once their checks are complete.'
            : 'Prefixes requested by customers appear here with their RPKI and IRR status.'}
        </EmptyState>
      }
    />
  )
}
