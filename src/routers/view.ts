/** Turns a router's row into its API form. No other code does. */
import { macOf } from './addresses.ts'
import type { ListedRouter, Router } from './contract.ts'
import type { ShownRow } from './queries.ts'
import { allowedActions, viewState, type RouterState } from './states.ts'

export const stateOf = (row: StateRow): RouterState =>
  viewState({
    desiredState: row.desired_state,
    suspended: row.suspended,
    task: row.task,
    observed: row.observed,
    ready: row.ready_at !== null,
    created: row.reachable_at !== null,
    failed: row.failure !== null,
  })

export type StateRow = Pick<
  ShownRow,
  'desired_state' | 'suspended' | 'task' | 'observed' | 'ready_at' | 'reachable_at' | 'failure'
>

export function viewRouter(row: ShownRow): Router {
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
    deleteProtected: row.delete_protected,
    purgeAt: iso(row.purge_at),
    allowedActions: allowedActions(state, row.purge_at !== null),
  }
}

export const addressesOf = (row: ShownRow): Router['addresses'] => [
  { family: 4, address: row.address4, prefixLength: lengthOf(row.prefix4), gateway: row.gateway4 },
  { family: 6, address: row.address6, prefixLength: lengthOf(row.prefix6), gateway: row.gateway6 },
]

/** Returns what a router leases of a pool; nothing once it is deleted and has released its addresses. */
export function leasedAddresses(row: {
  readonly address4: string | null
  readonly address6: string | null
}): ListedRouter['addresses'] {
  if (row.address4 === null || row.address6 === null) return []
  return [
    { family: 4, address: row.address4 },
    { family: 6, address: row.address6 },
  ]
}

/** Returns the length of a network as the database prints it. */
const lengthOf = (prefix: string): number => Number(prefix.slice(prefix.indexOf('/') + 1))

const iso = (date: Date | null): string | null => date?.toISOString() ?? null
