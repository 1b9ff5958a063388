/** Hypervisors with how full they are, for staff. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'

export interface HypervisorRecord {
  readonly id: number
  readonly name: string
  readonly driver: 'libvirt' | 'simulated'
  readonly connected: boolean
  /** Why it is not connected, in the driver's words. */
  readonly fault: string | null
  /** Fractions 0 to 1: of the host as it is now, and of the addresses of its site that are leased. */
  readonly cpuUsage: number
  readonly memoryUsage: number
  readonly ipv4Usage: number
  readonly ipv6Usage: number
  readonly siteId: number
  readonly siteName: string
  readonly routerCount: number
}

const hypervisors = (db: Db) =>
  db
    .selectFrom('hypervisors as hypervisor')
    .innerJoin('sites as site', 'site.id', 'hypervisor.site_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('address_pools as pool')
          .leftJoin('address_leases as lease', 'lease.pool_id', 'pool.id')
          .select([
            // Less the network's own address, the broadcast address and the gateway.
            sql<number>`count(lease.router_id) / greatest(1, (select sum(2 ^ (32 - masklen(prefix4)) - 3) from address_pools where site_id = hypervisor.site_id))`.as(
              'ipv4Usage',
            ),
            sql<number>`count(lease.router_id) / greatest(1, (select sum(2.0 ^ (128 - masklen(prefix6))) from address_pools where site_id = hypervisor.site_id))`.as(
              'ipv6Usage',
            ),
          ])
          .whereRef('pool.site_id', '=', 'hypervisor.site_id')
          .as('usage'),
      (join) => join.onTrue(),
    )
    .select(['hypervisor.id', 'hypervisor.name', 'hypervisor.driver', 'hypervisor.connected', 'hypervisor.fault'])
    .select(['site.id as siteId', 'site.name as siteName'])
    .select([
      sql<number>`coalesce(hypervisor.cpu_usage, 0)`.as('cpuUsage'),
      sql<number>`coalesce(hypervisor.memory_usage, 0)`.as('memoryUsage'),
      sql<number>`coalesce("usage"."ipv4Usage", 0)::float8`.as('ipv4Usage'),
      sql<number>`coalesce("usage"."ipv6Usage", 0)::float8`.as('ipv6Usage'),
      sql<number>`(select count(*) from routers where hypervisor_id = hypervisor.id)::int`.as('routerCount'),
    ])

export const listHypervisors = (db: Db): Promise<HypervisorRecord[]> =>
  hypervisors(db).orderBy('hypervisor.id').execute()

export async function hypervisorsByIds(db: Db, ids: readonly number[]): Promise<Map<number, HypervisorRecord>> {
  if (ids.length === 0) return new Map()
  const rows = await hypervisors(db)
    .where('hypervisor.id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
