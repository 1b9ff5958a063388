import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { DataTable } from '../../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../../portal/ui/EmptyState.tsx'
import { PageHeader } from '../../../portal/ui/PageHeader.tsx'
import { TableSkeleton } from '../../../portal/ui/Skeleton.tsx'
import { STATE_LOOK } from '../../../routers/portal/router-state-look.ts'
import type { RouterState } from '../../../routers/states.ts'
import { hypervisors, routersFor, sites } from '../api.ts'
import { FileLink } from '../FileLink.tsx'
import { FILTER_LINK, FilterLinks, UnknownFilter } from '../FilterLinks.tsx'
import { useSearch } from '../use-search.ts'
import { PlaceChoice } from './PlaceChoice.tsx'
import { readState, type RouterSearch } from './router-search.ts'
import { staffRouterColumns } from './staff-router-columns.tsx'

const route = getRouteApi('/_signed-in/admin/routers/')

/** What staff ask for; the others stand in the list of all. */
const STATES: readonly RouterState[] = ['RUNNING', 'STOPPED', 'FAILED', 'SUSPENDED', 'CREATING', 'DELETING']

export function RouterListPage() {
  const chosen = route.useSearch()
  const { search, ...narrowing } = chosen
  const state = readState(chosen.state)
  return (
    <>
      <PageHeader title="Routers" summary="All customers’ routers." />
      <FilterLinks label="Which routers">
        {[undefined, ...STATES].map((one) => (
          <Link
            key={one ?? 'all'}
            to="/admin/routers/"
            search={{ ...narrowing, state: one?.toLowerCase(), ...(search && { search }) }}
            activeOptions={{ exact: true, explicitUndefined: true }}
            aria-current={one === state ? 'page' : undefined}
            className={FILTER_LINK}
          >
            {one ? STATE_LOOK[one].word : 'All'}
          </Link>
        ))}
      </FilterLinks>
      {chosen.state !== undefined && !state && <UnknownFilter what="state" value={chosen.state} shown="routers" />}
      <RouterTable key={JSON.stringify(narrowing)} chosen={chosen} />
    </>
  )
}

function RouterTable({ chosen }: { chosen: RouterSearch }) {
  const { search, setSearch, typed, round } = useSearch()
  const navigate = route.useNavigate()
  const state = readState(chosen.state)
  const filter = {
    ...(state && { state }),
    ...(chosen.site && { site: chosen.site }),
    ...(chosen.hypervisor && { hypervisor: chosen.hypervisor }),
    ...(search && { search }),
  }
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...routersFor(filter),
    // While a search is under way the old rows stand, and the field keeps what is typed.
    placeholderData: keepPreviousData,
  })
  const { data: places } = useQuery(sites())
  const { data: hosts } = useQuery(hypervisors())
  if (!data) return <TableSkeleton />
  const narrow = (change: RouterSearch) => void navigate({ search: { ...chosen, ...change } })
  return (
    <DataTable
      key={round}
      label="Routers"
      columns={staffRouterColumns}
      rows={data.pages.flatMap(({ routers }) => routers)}
      rowKey={(router) => router.id}
      filter="Search name, address or UUID"
      initialFilter={typed}
      onFilter={setSearch}
      tools={
        <>
          <PlaceChoice
            label="Site"
            all="All sites"
            places={places ?? []}
            chosen={chosen.site}
            onChoose={(site) => narrow({ site })}
          />
          <PlaceChoice
            label="Hypervisor"
            all="All hypervisors"
            places={hosts?.hypervisors ?? []}
            chosen={chosen.hypervisor}
            onChoose={(hypervisor) => narrow({ hypervisor })}
          />
          <FileLink path="/api/admin/virtual_machines.csv" query={filter} what="routers" />
        </>
      }
      page={{ hasMore: hasNextPage, busy: isFetchingNextPage, onMore: () => void fetchNextPage() }}
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
