/** Loads what the staff's pages need, while the pointer is still on its way to the link. */
import { notFound } from '@tanstack/react-router'
import { queryClient } from '../../../ui/live/query-client.ts'
import { drainOf, hypervisors, images, pools, routersFor, routerWithOwner, sites } from './api.ts'
import { load } from '../../../ui/graphql/client.ts'
import { HypervisorDetail } from './inventory/hypervisor-document.ts'
import { readSort } from '../../../ui/table/sort-text.ts'
import { readState, ROUTER_SORT_COLUMNS, routerSort, type RouterSearch } from './router-search.ts'
import { knownId } from '../../../ui/staff/known-id.ts'

export async function loadHypervisor(id: number) {
  const [{ hypervisor }] = await Promise.all([
    load(HypervisorDetail, { id: knownId(id) }),
    queryClient.ensureQueryData(drainOf(id)),
  ])
  if (!hypervisor) throw notFound()
}

export const loadRouter = (id: number) => queryClient.ensureQueryData(routerWithOwner(knownId(id)))

export const loadSites = () => queryClient.ensureQueryData(sites())

export const loadHypervisors = () => Promise.all([queryClient.ensureQueryData(hypervisors()), loadSites()])

export const loadPools = () => Promise.all([queryClient.ensureQueryData(pools()), loadSites()])

export const loadImages = () => queryClient.ensureQueryData(images())

export function loadRouters({ state, site, hypervisor, search, sort }: RouterSearch) {
  const wanted = readState(state)
  return queryClient.ensureInfiniteQueryData(
    routersFor(
      {
        ...(wanted && { state: wanted }),
        ...(site && { site }),
        ...(hypervisor && { hypervisor }),
        ...(search && { search }),
      },
      routerSort(readSort(sort, ROUTER_SORT_COLUMNS)),
    ),
  )
}
