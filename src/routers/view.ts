/** The only way out for a row of a router. */
import { parsePrefix } from '../kernel/prefix.ts'
import { macOf } from './addresses.ts'
import type { Router } from './contract.ts'
import type { RouterRow } from './queries.ts'
import { allowedActions, viewState, type RouterState } from './states.ts'

export const stateOf = (row: StateRow): RouterState =>
  viewState({
    wish: row.wish,
    suspended: row.suspended,
    task: row.task,
    observed: row.observed,
    ready: row.ready_at !== null,
    created: row.reachable_at !== null,
    failed: row.failure !== null,
  })

export type StateRow = Pick<
  RouterRow,
  'wish' | 'suspended' | 'task' | 'observed' | 'ready_at' | 'reachable_at' | 'failure'
>

export function viewRouter(row: RouterRow): Router {
  const state = stateOf(row)
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    state,
    stateKnown: row.hypervisor_connected,
    observedAt: iso(row.observed_at),
    failure: row.failure,
    cpus: row.cpus,
    memory: row.memory,
    diskSize: row.disk_size,
    image: row.image_slug,
    plan: row.plan_slug,
    site: row.site_slug,
    labels: { image: row.image_name, plan: row.plan_name, site: row.site_name },
    mac: macOf(row.id),
    addresses: addressesOf(row),
    createdAt: row.created_at.toISOString(),
    steps: [
      { name: 'address', at: iso(row.address_at) },
      { name: 'disk', at: iso(row.disk_at) },
      { name: 'boot', at: iso(row.boot_at) },
      { name: 'reachable', at: iso(row.reachable_at) },
    ],
    goneAt: iso(row.gone_at),
    allowedActions: allowedActions(state, row.gone_at !== null),
  }
}

export const addressesOf = (row: RouterRow): Router['addresses'] => [
  { family: 4, address: row.address4, prefixLength: parsePrefix(row.prefix4).length, gateway: row.gateway4 },
  { family: 6, address: row.address6, prefixLength: parsePrefix(row.prefix6).length, gateway: row.gateway6 },
]

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
