/** Hypervisors and sites as staff see them. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { isAlive, leaseKeyOf } from '../../platform/leases/agent-lease.ts'
import { poolCapacity } from '../addresses.ts'
import { explainAbsence } from '../hypervisors/stale-agent-job.ts'
import '../tables.ts'

export interface HypervisorWithUsage {
  readonly id: number
  readonly name: string
  readonly site: { readonly id: number; readonly name: string }
  readonly driver: 'libvirt' | 'simulated'
  readonly drained: boolean
  readonly connected: boolean
  /** Why it is not connected, in the driver's words. */
  readonly fault: string | null
  /** Fractions from 0 to 1. CPU and memory of the host as last reported; 0 before the first report. */
  readonly cpuUsage: number
  readonly memoryUsage: number
  /** The share of its site's router addresses that are in use. */
  readonly ipv4Usage: number
  readonly ipv6Usage: number
  readonly routerCount: number
}

/** Returns all by name; with `id`, only that one. */
export async function hypervisorsWithUsage(db: Db, id?: number): Promise<HypervisorWithUsage[]> {
  let query = db
    .selectFrom('hypervisors')
    .innerJoin('sites', 'sites.id', 'hypervisors.site_id')
    .selectAll('hypervisors')
    .leftJoin('leases as lease', (join) =>
      join.on('lease.key', '=', leaseKeyOf('hypervisor_agents', 'hypervisors.slug')),
    )
    .select(['sites.name as site_name', 'process', 'renewed_at', isAlive.as('alive')])
    .select((eb) =>
      eb
        .selectFrom('routers')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('routers.hypervisor_id', '=', 'hypervisors.id')
        .as('router_count'),
    )
  if (id !== undefined) query = query.where('hypervisors.id', '=', id)
  const rows = await query.orderBy('hypervisors.name').orderBy('hypervisors.id').execute()
  const usage = await addressUsage(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    site: { id: row.site_id, name: row.site_name },
    driver: row.driver,
    drained: row.drained,
    connected: row.connected && row.alive,
    fault: row.alive ? row.fault : explainAbsence(row.slug, row.process, row.renewed_at),
    cpuUsage: row.cpu_usage ?? 0,
    memoryUsage: row.memory_usage ?? 0,
    // A lease is one address of each family, and IPv4 runs out first.
    ipv4Usage: usage.get(row.site_id) ?? 0,
    ipv6Usage: usage.get(row.site_id) ?? 0,
    routerCount: row.router_count ?? 0,
  }))
}

/** Returns the share of each site's router addresses that is in use. */
export async function addressUsage(db: Db): Promise<Map<number, number>> {
  const pools = await db
    .selectFrom('address_pools')
    .select(['site_id', 'prefix4', 'prefix6', 'closed_at'])
    .select([sql<string>`host(gateway4)`.as('gateway4'), sql<string>`host(gateway6)`.as('gateway6')])
    .select((eb) =>
      eb
        .selectFrom('address_leases')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('address_leases.pool_id', '=', 'address_pools.id')
        .as('leased'),
    )
    .execute()
  const sums = new Map<number, { leased: number; capacity: number }>()
  for (const pool of pools) {
    const sum = sums.get(pool.site_id) ?? { leased: 0, capacity: 0 }
    sums.set(pool.site_id, {
      leased: sum.leased + (pool.leased ?? 0),
      // A closed pool gives out no more: its used addresses are all it has.
      capacity: sum.capacity + (pool.closed_at === null ? poolCapacity(pool) : (pool.leased ?? 0)),
    })
  }
  return new Map([...sums].map(([site, { leased, capacity }]) => [site, capacity > 0 ? leased / capacity : 0]))
}
