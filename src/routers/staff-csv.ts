/** Exports the staff's lists of routers and hypervisors as CSV. */
import { CSV_PAGE, csvPages } from '../platform/csv-pages.ts'
import type { Db } from '../platform/db/index.ts'
import type { ListedRouter, RouterFilter } from './contract.ts'
import { addressOf } from './address-of.ts'
import { listRouters } from './staff-list.ts'
import type { InventoryHypervisor } from './inventory/contract.ts'
import { listHypervisors } from './inventory/hypervisors.ts'

export const routersCsv = (db: Db, filter: RouterFilter): AsyncIterable<string> =>
  csvPages<ListedRouter>(
    {
      id: (router) => router.id,
      uuid: (router) => router.uuid,
      name: (router) => router.name,
      state: (router) => router.state,
      failure: (router) => router.failure,
      cpus: (router) => router.cpus,
      memory_mib: (router) => router.memory,
      disk_gib: (router) => router.diskSize,
      ipv4: (router) => addressOf(router, 4),
      ipv6: (router) => addressOf(router, 6),
      site: (router) => router.site.name,
      hypervisor: (router) => router.hypervisor.name,
      user_id: (router) => router.user.id,
      user_email: (router) => router.user.email,
      created_at: (router) => router.createdAt,
      purge_at: (router) => router.purgeAt,
    },
    async (before) => {
      const { routers, next } = await listRouters(db, filter, { before, limit: CSV_PAGE })
      return { rows: routers, next }
    },
  )

export const hypervisorsCsv = (db: Db): AsyncIterable<string> =>
  csvPages<InventoryHypervisor>(
    {
      id: (host) => host.id,
      slug: (host) => host.slug,
      name: (host) => host.name,
      site: (host) => host.site.name,
      driver: (host) => host.driver,
      connected: (host) => host.connected,
      fault: (host) => host.fault,
      process: (host) => host.process?.name ?? null,
      drained: (host) => host.drained,
      drain_reason: (host) => host.drainReason,
      routers: (host) => host.routers,
      cpus: (host) => host.size.cpus,
      cpus_sold: (host) => host.sold.cpus,
      cpu_overcommit: (host) => host.cpuOvercommit,
      memory_mib: (host) => host.size.memory,
      memory_reserve_mib: (host) => host.memoryReserve,
      memory_sold_mib: (host) => host.sold.memory,
      memory_overhead_mib: (host) => host.memoryOverhead,
      disk_gib: (host) => host.size.disk,
      disk_sold_gib: (host) => host.sold.disk,
      cpu_usage: (host) => host.usage.cpu,
      memory_usage: (host) => host.usage.memory,
      ipv4_usage: (host) => host.usage.ipv4,
      ipv6_usage: (host) => host.usage.ipv6,
    },
    async () => ({ rows: await listHypervisors(db), next: null }),
  )
