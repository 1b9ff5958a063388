import { ROUTER_STATES, type RouterState } from '../../../routers/states.ts'

/** What the address of the list narrows it by. */
export interface RouterSearch {
  readonly state?: string | undefined
  readonly site?: number | undefined
  readonly hypervisor?: number | undefined
}

const idOf = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function readRouterSearch({ state, site, hypervisor }: Record<string, unknown>): RouterSearch {
  return {
    ...(typeof state === 'string' && state !== '' && { state }),
    ...(idOf(site) !== undefined && { site: idOf(site) }),
    ...(idOf(hypervisor) !== undefined && { hypervisor: idOf(hypervisor) }),
  }
}

/** An address may write the state as it likes. What is no state means all of them. */
export function readState(state: string | undefined): RouterState | undefined {
  const upper = state?.toUpperCase()
  return ROUTER_STATES.find((known) => known === upper)
}
