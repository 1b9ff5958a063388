/** Reserves room on hypervisors and in address pools, in the caller's transaction. */
import { sql } from 'kysely'
import { z } from 'zod'
import { conflict, unavailable } from '../kernel/problem.ts'
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
 * Returns a hypervisor and an address for a router of this size. Throws 409 when there is no room, and 503 when the
 * only hosts with room have been unreachable for long. The site's rows stay locked until the transaction ends, so two
 * concurrent orders cannot both take the last place. Constraints guarantee the same for addresses.
 */
export async function reserve(
  db: Db,
  siteId: number,
  need: Need,
  wanted: { leased: readonly string[]; image: string; now: Date },
): Promise<Reservation> {
  const host = chooseHost(await lockHypervisors(db, siteId, wanted), need, wanted.image)
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
  throw conflict('This site has no free addresses. Choose another site.', 'no_capacity')
}

/** Chooses a host that answers, else one that will soon. */
function chooseHost(hosts: readonly PlacedHost[], need: Need, image: string): PlacedHost {
  const inService = hosts.filter((host) => !host.drained && host.service !== 'none')
  if (inService.length === 0)
    throw conflict('No hypervisor at this site is in service. Choose another site.', 'no_capacity')
  const withImage = inService.filter((host) => host.mayHave(image))
  if (withImage.length === 0)
    throw conflict('No hypervisor at this site has this image. Choose another site.', 'no_capacity')
  const serving = (service: Service) =>
    choosePlacement(
      withImage.filter((host) => host.service === service),
      need,
    )
  const host = serving('answers') ?? serving('awaited')
  if (host) return host
  if (serving('away'))
    throw unavailable('The hypervisors at this site are not responding. Try again in a minute.', RETRY_AFTER_S)
  throw conflict(
    'No hypervisor at this site has capacity for this plan. Choose a smaller plan or another site.',
    'no_capacity',
  )
}

/** Reserves room for an existing router to grow on its own hypervisor, or throws 409. */
export async function reserveGrowth(
  db: Db,
  router: { id: number; site_id: number; hypervisor_id: number },
  need: Need,
): Promise<void> {
  // Whether it answers does not matter: the change is made when it does.
  const hosts = await lockHypervisors(db, router.site_id, { leased: [], now: new Date(0) }, router.id)
  const host = hosts.find((candidate) => candidate.id === router.hypervisor_id)
  // The router stays where it is, so a drained host does not matter.
  if (!host || !fits({ ...host, drained: false }, need)) {
    throw conflict('This router’s host has no capacity for this plan.', 'no_capacity')
  }
}

/**
 * Returns another host of the site that answers and has room, or null. Its rows stay locked. Hosts in `tried` are
 * skipped.
 */
export async function findOtherHost(
  db: Db,
  router: { site_id: number; cpus: number; memory: number; disk_size: number; image_source: string },
  { tried, now }: { tried: readonly number[]; now: Date },
): Promise<number | null> {
  const hosts = (await lockHypervisors(db, router.site_id, { leased: [], now })).filter(
    // If the host's process is gone, the leader takes this back within seconds.
    (host) => host.connected && !tried.includes(host.id) && host.mayHave(router.image_source),
  )
  return choosePlacement(hosts, { cpus: router.cpus, memory: router.memory, disk: router.disk_size })?.id ?? null
}

/**
 * `answers`: connected, and a process drives it. `awaited`: it answered a short while ago, or is about to for the first
 * time. `away`: it has not answered for long. `none`: it never was in service.
 */
type Service = 'answers' | 'awaited' | 'away' | 'none'

/** Covers a restart of the portal or of libvirt, also after a reboot of the host. Orders wait in the meantime. */
const AWAITED_MS = 15 * 60_000
const RETRY_AFTER_S = 60

interface Asking {
  /** Hypervisors that a process drives. */
  readonly leased: readonly string[]
  readonly now: Date
}

/** Returns SQL over a row of `hypervisors`, so that catalogue and orders cannot disagree. */
export const serviceOf = ({ leased, now }: Asking) => sql<Service>`case
  when hypervisors.connected and hypervisors.slug = any(${[...leased]}::text[]) then 'answers'
  when hypervisors.answered_at > ${new Date(now.getTime() - AWAITED_MS)} then 'awaited'
  when hypervisors.connected_at is null and hypervisors.slug = any(${[...leased]}::text[]) then 'awaited'
  when hypervisors.connected_at is null then 'none'
  else 'away' end`

interface PlacedHost extends Host {
  readonly leased: boolean
  readonly connected: boolean
  readonly service: Service
  /** False for a host that has reported its images without this one. */
  mayHave(image: string): boolean
}

const reportedImages = z.array(z.object({ name: z.string() }))

async function lockHypervisors(db: Db, siteId: number, asking: Asking, without = 0): Promise<PlacedHost[]> {
  await db.selectFrom('hypervisors').select('id').where('site_id', '=', siteId).orderBy('id').forNoKeyUpdate().execute()
  // Read after the lock: sums read before it could predate the transaction that held it.
  return readHypervisors(db, siteId, asking, without)
}

/** Returns the hosts of a site with what is allocated on each, not counting the router `without`. */
export async function readHypervisors(db: Db, siteId: number, asking: Asking, without = 0): Promise<PlacedHost[]> {
  const rows = await db
    .selectFrom('hypervisors')
    .select([
      'id',
      'slug',
      'connected',
      'drained',
      'cpus',
      'cpu_overcommit',
      'memory',
      'memory_reserve',
      'disk',
      'facts',
      'images',
    ])
    .select(serviceOf(asking).as('service'))
    .where('site_id', '=', siteId)
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
    const images = reportedImages.safeParse(row.images).data
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
      leased: asking.leased.includes(row.slug),
      connected: row.connected,
      service: row.service,
      mayHave: (image) => images === undefined || images.some(({ name }) => name === image),
    }
  })
}
