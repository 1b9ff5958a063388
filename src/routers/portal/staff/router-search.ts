import type { Sort } from '../../../ui/components/table-rows.ts'
import { ROUTER_STATES, type RouterSort, type RouterState } from '../../states.ts'

/** What the address of the list narrows it by. */
export interface RouterSearch {
  readonly state?: string | undefined
  readonly site?: number | undefined
  readonly hypervisor?: number | undefined
  readonly search?: string | undefined
  readonly sort?: string | undefined
}

/** An address may write the state as it likes. What is no state means all of them. */
export function readState(state: string | undefined): RouterState | undefined {
  const upper = state?.toUpperCase()
  return ROUTER_STATES.find((known) => known === upper)
}

/** What an index holds them in the order of. */
export const ROUTER_SORT_COLUMNS = ['name', 'created']

export const routerSort = (sort: Sort | null): RouterSort | undefined =>
  sort ? (`${sort.descending ? '-' : ''}${sort.column as 'name' | 'created'}` as const) : undefined
