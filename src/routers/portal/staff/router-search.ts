import type { Sort } from '../../../ui/components/table-rows.ts'
import { ROUTER_STATES, type RouterSort, type RouterState } from '../../states.ts'

/** The filters in the address of the list. */
export interface RouterSearch {
  readonly state?: string | undefined
  readonly site?: number | undefined
  readonly hypervisor?: number | undefined
  readonly search?: string | undefined
  readonly sort?: string | undefined
}

/** Reads a state in any letter case. Anything else means all states. */
export function readState(state: string | undefined): RouterState | undefined {
  const upper = state?.toUpperCase()
  return ROUTER_STATES.find((known) => known === upper)
}

/** The columns whose order an index has. */
export const ROUTER_SORT_COLUMNS = ['name', 'created']

export const routerSort = (sort: Sort | null): RouterSort | undefined =>
  sort ? (`${sort.descending ? '-' : ''}${sort.column as 'name' | 'created'}` as const) : undefined
