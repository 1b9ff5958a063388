/** Room on hypervisors and in address pools, taken in the transaction of whoever takes it. */
import { sql } from 'kysely'
import { conflict } from '../kernel/problem.ts'
import type { Db } from '../platform/db/index.ts'
import { lowestFree, type HostAddresses } from './addresses.ts'
import { memoryReserve, overheadPerMachine } from './host-memory.ts'
import { choosePlacement, fits, type Host, type Need } from './placement.ts'
import './tables.ts'

export interface Reservation extends HostAddresses {
  readonly hypervisorId: number
  readonly poolId: number
}

/**
 * A place and an address for a router of this size, or 409. The site's rows stay locked until the transaction ends, so
 * that two who ask at once cannot both be the last that fits; constraints prove the same for addresses.
 */
export async function reserve(
  db: Db,
  siteId: number,
  need: Need,
  usable: { driven: readonly string[]; image: string },
): Promise<Reservation> {
  const hosts = await lockHosts(db, siteId, usable)
  const host = choosePlacement(hosts, need)
  if (hosts.length === 0)
    throw conflict('No hypervisor at this site is in service right now. Try again later or choose another site.')
  if (!host)
    throw conflict('No hypervisor at this site has capacity for this plan. Choose a smaller plan or another site.')
  const pools = await db
    .selectFrom('address_pools')
    .select(['id', 'prefix4', 'prefix6'])
    .select([sql<string>`host(gateway4)`.as('gateway4'), sql<string>`host(gateway6)`.as('gateway6')])
    .where('site_id', '=', siteId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const pool of pools) {
    const taken = await db.selectFrom('address_leases').select('host_number').where('pool_id', '=', pool.id).execute()
    const free = lowestFree(
      pool,
      taken.map((lease) => lease.host_number),
    )
    if (free) return { ...free, poolId: pool.id, hypervisorId: host.id }
  }
  throw conflict('This site has no free addresses. Choose another site.')
}

/** Room for a router that is there already to become this large on its own hypervisor, or 409. */
export async function reserveGrowth(
  db: Db,
  router: { id: number; site_id: number; hypervisor_id: number },
  need: Need,
): Promise<void> {
  const hosts = await lockHosts(db, router.site_id, null, router.id)
  const host = hosts.find((candidate) => candidate.id === router.hypervisor_id)
  // It stays where it is, so that the host takes no new routers does not matter.
  if (!host || !fits({ ...host, drained: false }, need)) {
    throw conflict('This router’s host has no capacity for this plan.')
  }
}

/** Hypervisors that some process drives, and that have this image as far as is known. */
interface Usable {
  readonly driven: readonly string[]
  readonly image?: string
}

async function lockHosts(db: Db, siteId: number, usable: Usable | null, without = 0): Promise<Host[]> {
  await db.selectFrom('hypervisors').select('id').where('site_id', '=', siteId).orderBy('id').forNoKeyUpdate().execute()
  // After the lock: read before it, the sums could be those from before whoever held it.
  return readHosts(db, siteId, usable, without)
}

/** The hosts of a site with what is sold of each; `without` one router. */
export async function readHosts(db: Db, siteId: number, usable: Usable | null, without = 0): Promise<Host[]> {
  if (usable?.driven.length === 0) return []
  const rows = await db
    .selectFrom('hypervisors')
    .select(['id', 'drained', 'cpus', 'cpu_overcommit', 'memory', 'memory_reserve', 'disk', 'facts'])
    .where('site_id', '=', siteId)
    .$if(usable !== null, (query) => query.where('slug', 'in', usable!.driven))
    .$if(usable?.image !== undefined, (query) =>
      query.where(sql<boolean>`(images is null or images @> ${JSON.stringify([{ name: usable!.image }])}::jsonb)`),
    )
    .orderBy('id')
    .execute()
  const sums = await db
    .selectFrom('routers')
    .select((eb) => [
      'hypervisor_id',
      eb.fn.countAll<number>().as('routers'),
      eb.fn.sum<number>('cpus').as('cpus'),
      eb.fn.sum<number>('memory').as('memory'),
      eb.fn.sum<number>('disk_size').as('disk'),
    ])
    .where('site_id', '=', siteId)
    .where('id', '!=', without)
    .groupBy('hypervisor_id')
    .execute()
  const sold = new Map(sums.map(({ hypervisor_id: id, ...sum }) => [id, sum]))
  return rows.map((row) => {
    const { routers, ...taken } = sold.get(row.id) ?? { routers: 0, cpus: 0, memory: 0, disk: 0 }
    return {
      id: row.id,
      drained: row.drained,
      cpus: row.cpus,
      cpuOvercommit: Number(row.cpu_overcommit),
      memory: row.memory - memoryReserve(row.memory, row.memory_reserve),
      perMachine: overheadPerMachine(row.facts),
      disk: row.disk,
      routers,
      sold: taken,
    }
  })
}
