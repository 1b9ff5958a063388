import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ManagedTable, type Selection } from '../../../ui/table/ManagedTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import { STATE_BADGE } from '../router-state-variants.ts'
import type { ListedRouter } from '../../contract.ts'
import type { RouterState } from '../../states.ts'
import { hypervisors, routersFor, sites } from './api.ts'
import { FileLink } from '../../../ui/staff/FileLink.tsx'
import { FILTER_LINK, FilterLinks, UnknownFilter } from '../../../ui/staff/FilterLinks.tsx'
import { useSearch } from '../../../ui/staff/use-search.ts'
import { StaffBulkPower } from './StaffBulkPower.tsx'
import { SiteFilter } from './SiteFilter.tsx'
import { useServerSort } from '../../../ui/table/server-sort.ts'
import { readState, ROUTER_SORT_COLUMNS, routerSort, type RouterSearch } from './router-search.ts'
import { staffRouterColumns } from './staff-router-columns.tsx'

const route = getRouteApi('/_signed-in/admin/routers/')

/** The states that staff filter by; the others are in the full list. */
const STATES: readonly RouterState[] = ['RUNNING', 'STOPPED', 'FAILED', 'SUSPENDED', 'CREATING', 'DELETING']

export function RouterListPage() {
  const chosen = route.useSearch()
  const { search, sort, ...narrowing } = chosen
  const state = readState(chosen.state)
  return (
    <>
      <PageHeader title="Routers" summary="All customers’ routers." />
      <FilterLinks label="Which routers">
        {[undefined, ...STATES].map((one) => (
          <Link
            key={one ?? 'all'}
            to="/admin/routers/"
            search={{ ...narrowing, state: one?.toLowerCase(), ...(search && { search }), ...(sort && { sort }) }}
            activeOptions={{ exact: true, explicitUndefined: true }}
            aria-current={one === state ? 'page' : undefined}
            className={FILTER_LINK}
          >
            {one ? STATE_BADGE[one].label : 'All'}
          </Link>
        ))}
      </FilterLinks>
      {chosen.state !== undefined && !state && <UnknownFilter what="state" value={chosen.state} shown="routers" />}
      <RouterTable key={JSON.stringify(narrowing)} chosen={chosen} />
    </>
  )
}

const SELECTION: Selection<ListedRouter> = {
  nameOf: ({ name }) => name,
  actions: (routers, clear) => <StaffBulkPower routers={routers} onDone={clear} />,
}

function RouterTable({ chosen }: { chosen: RouterSearch }) {
  const { search, setSearch, typed, round, isAsked } = useSearch()
  const navigate = route.useNavigate()
  const serverSort = useServerSort(ROUTER_SORT_COLUMNS)
  const state = readState(chosen.state)
  const filter = {
    ...(state && { state }),
    ...(chosen.site && { site: chosen.site }),
    ...(chosen.hypervisor && { hypervisor: chosen.hypervisor }),
    ...(search && { search }),
  }
  const { data, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...routersFor(filter, routerSort(serverSort.current)),
    // While a search is under way the old rows stay, and the field keeps its text.
    placeholderData: keepPreviousData,
  })
  const { data: options } = useQuery(sites())
  const { data: hosts } = useQuery(hypervisors())
  if (!data) return <TableSkeleton />
  const narrow = (change: RouterSearch) => void navigate({ search: { ...chosen, ...change } })
  return (
    <ManagedTable
      key={round}
      id="routers"
      selection={SELECTION}
      serverSort={serverSort}
      label="Routers"
      columns={staffRouterColumns}
      rows={data.pages.flatMap(({ routers }) => routers)}
      rowKey={(router) => router.id}
      filter="Search name, address or UUID"
      initialFilter={typed}
      onFilter={setSearch}
      tools={
        <>
          <SiteFilter
            label="Site"
            all="All sites"
            options={options ?? []}
            chosen={chosen.site}
            onChoose={(site) => narrow({ site })}
          />
          <SiteFilter
            label="Hypervisor"
            all="All hypervisors"
            options={hosts?.hypervisors ?? []}
            chosen={chosen.hypervisor}
            onChoose={(hypervisor) => narrow({ hypervisor })}
          />
          <FileLink path="/api/admin/virtual_machines.csv" query={filter} what="routers" />
        </>
      }
      page={{
        hasMore: hasNextPage,
        answered: isAsked && !isPlaceholderData,
        busy: isFetchingNextPage,
        onMore: () => void fetchNextPage(),
      }}
      empty={
        Object.keys(filter).length === 0 ? (
          <EmptyState icon="router" title="No routers yet">
            Routers ordered by customers appear here with their placement and state.
          </EmptyState>
        ) : undefined
      }
    />
  )
}
