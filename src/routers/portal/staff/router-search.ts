import { ROUTER_STATES, type RouterState } from '../../states.ts'

/** What the address of the list narrows it by. */
export interface RouterSearch {
  readonly state?: string | undefined
  readonly site?: number | undefined
  readonly hypervisor?: number | undefined
  readonly search?: string | undefined
}

/** An address may write the state as it likes. What is no state means all of them. */
export function readState(state: string | undefined): RouterState | undefined {
  const upper = state?.toUpperCase()
  return ROUTER_STATES.find((known) => known === upper)
}
