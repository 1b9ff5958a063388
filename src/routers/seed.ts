/** A small, believable operator: one site, one hypervisor, one segment, one image and a price list. */
import type { AccountId } from '../kernel/ids.ts'
import { FIRST_HYPERVISOR } from '../platform/settings.ts'
import { sql, type RawBuilder } from 'kysely'
import { inTransaction, type Db } from '../platform/db/index.ts'
import './tables.ts'
import { openUsagePeriod } from './usage-periods.ts'

export interface SeedOptions {
  /** Short name of the hypervisor; that of a single-host portal unless set. */
  readonly slug?: string
  readonly driver: 'libvirt' | 'simulated'
  /** Capacity of the hypervisor: MiB and GiB. */
  readonly cpus: number
  readonly memory: number
  readonly disk: number
  /** The hypervisor's name for the image. */
  readonly image: string
  readonly currency: string
  readonly pool: {
    readonly prefix4: string
    readonly gateway4: string
    readonly prefix6: string
    readonly gateway6: string
  }
}

const PLANS = [
  { slug: 'lark', name: 'Lark', cpus: 1, memory: 192, disk_size: 1, hourly_price: 1, monthly_price: 490 },
  { slug: 'swift', name: 'Swift', cpus: 1, memory: 512, disk_size: 4, hourly_price: 2, monthly_price: 990 },
  { slug: 'tern', name: 'Tern', cpus: 2, memory: 1024, disk_size: 8, hourly_price: 3, monthly_price: 1990 },
  { slug: 'albatross', name: 'Albatross', cpus: 4, memory: 4096, disk_size: 20, hourly_price: 9, monthly_price: 5490 },
] as const

/** Writes what is missing; running it again changes nothing. */
export function seedRouters(database: Db, options: SeedOptions): Promise<{ siteId: number; hypervisorId: number }> {
  const { slug = FIRST_HYPERVISOR } = options
  return inTransaction(database, async (db) => {
    const found = await db
      .selectFrom('hypervisors')
      .select(['id', 'site_id'])
      .where('slug', '=', slug)
      .executeTakeFirst()
    if (found) return { siteId: found.site_id, hypervisorId: found.id }
    const site = await db
      .insertInto('sites')
      .values({ slug: 'ams1', name: 'Amsterdam 1' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const hypervisor = await db
      .insertInto('hypervisors')
      .values({
        slug,
        name: slug,
        site_id: site.id,
        driver: options.driver,
        cpus: options.cpus,
        memory: options.memory,
        disk: options.disk,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('address_pools')
      .values({ site_id: site.id, ...options.pool })
      .execute()
    await db
      .insertInto('images')
      .values({
        slug: 'longhaul-appliance',
        name: 'Longhaul router',
        description: 'BIRD 2 on a minimal Linux: BGP, OSPF and static routes, nftables, SSH. Boots in seconds.',
        source: options.image,
      })
      .execute()
    await db
      .insertInto('plans')
      .values(PLANS.map((plan, position) => ({ ...plan, currency: options.currency, position })))
      .execute()
    return { siteId: site.id, hypervisorId: hypervisor.id }
  })
}

export interface SiteSeed {
  readonly site: { readonly slug: string; readonly name: string }
  readonly hypervisor: Pick<SeedOptions, 'driver' | 'cpus' | 'memory' | 'disk'> & {
    readonly slug: string
    /** MiB that are not for routers; left out, the default share. */
    readonly memoryReserve?: number
  }
  readonly pool: SeedOptions['pool']
}

/** A further site with one hypervisor. */
export async function seedSite(db: Db, { site, hypervisor, pool }: SiteSeed): Promise<void> {
  const { id } = await db.insertInto('sites').values(site).returning('id').executeTakeFirstOrThrow()
  const { memoryReserve, ...host } = hypervisor
  await db
    .insertInto('hypervisors')
    .values({ ...host, name: host.slug, site_id: id, memory_reserve: memoryReserve ?? null })
    .execute()
  await db
    .insertInto('address_pools')
    .values({ site_id: id, ...pool })
    .execute()
}

/** An image withdrawn before its files were on any host: routers ordered with it cannot be prepared. */
export async function seedMissingImage<T>(db: Db, slug: string, order: () => Promise<T>): Promise<T> {
  await db
    .insertInto('images')
    .values({
      slug,
      name: 'Longhaul router, next',
      description: 'A preview of the next release. Taken back.',
      source: slug,
      position: 9,
    })
    .execute()
  const ordered = await order()
  await db.updateTable('images').set({ retired_at: new Date() }).where('slug', '=', slug).execute()
  return ordered
}

/**
 * Backdates a router, with its charges, from this morning to long ago. Whether it runs is not written: its machine is
 * made and started like any other, not before `startAt`.
 */
export async function backdateRouter(
  db: Db,
  id: number,
  { since, desired, startAt }: { since: Date; desired: 'running' | 'stopped'; startAt: Date | null },
): Promise<void> {
  const router = await db
    .updateTable('routers')
    .set({
      created_at: since,
      desired_at: since,
      desired_state: desired,
      address_at: since,
      disk_at: new Date(+since + 900),
      boot_at: new Date(+since + 1_400),
      reachable_at: new Date(+since + 6_800),
      // Not earlier, whatever wakes the reconciler.
      retry_at: startAt,
    })
    .where('id', '=', id)
    .returning(['id', 'account_id', 'name', 'plan_id'])
    .executeTakeFirstOrThrow()
  await openUsagePeriod(db, router, since)
}

export interface HistoricRouter {
  readonly accountId: AccountId
  readonly name: string
  /** The slug of its plan. */
  readonly plan: string
  readonly startedAt: Date
  readonly endedAt: Date
}

/** Writes routers that were deleted before the demonstration began: only their charges remain. Returns their ids. */
export async function seedHistoricRouters(db: Db, routers: readonly HistoricRouter[]): Promise<number[]> {
  const plans = await db.selectFrom('plans').selectAll().execute()
  const rows = routers.map((router, index) => {
    const plan = plans.find((one) => one.slug === router.plan)!
    return {
      // Below the ids of existing routers.
      router_id: -1 - index,
      account_id: router.accountId,
      router_name: router.name,
      plan_slug: plan.slug,
      plan_name: plan.name,
      hourly_price: plan.hourly_price,
      monthly_price: plan.monthly_price,
      currency: plan.currency,
      started_at: router.startedAt,
      ended_at: router.endedAt,
    }
  })
  await db.insertInto('router_usage_periods').values(rows).execute()
  return rows.map((row) => row.router_id)
}

export interface HistoricTraffic {
  readonly accountId: AccountId
  readonly routerId: number
  readonly from: Date
  readonly to: Date
  /** Received traffic at the evening peak, bit/s. */
  readonly peakBps: number
  /** What the machine carries from `to` on, bit/s. */
  readonly idleBps: number
  /** Nothing was carried or measured during these hours. */
  readonly outage?: { readonly from: Date; readonly hours: number }
}

/** In its last hours the traffic fades into what the machine carries: a chart shows no step where measuring begins. */
const FADE_HOURS = 6

/**
 * Writes the traffic of an access network: little at night, a peak at eight in the evening, more on weekends. Writes
 * samples for the last hour too.
 */
export async function seedHistoricTraffic(db: Db, traffic: HistoricTraffic): Promise<void> {
  const { accountId, routerId, from, to, outage = { from: new Date(0), hours: 0 } } = traffic
  const slots = sql`generate_series(date_bin('5 minutes', ${from}::timestamptz, 'epoch'), ${to}::timestamptz - interval '5 minutes', '5 minutes')`
  await sql`
    insert into router_slots (router_id, account_id, slot, seconds, cpu_seconds, memory, rx_bytes, tx_bytes)
    select ${routerId}::int, ${accountId}::int, at, ${measured(traffic, 300)}
    from ${shares(slots, to)}
    where at not between ${outage.from}::timestamptz and ${new Date(outage.from.getTime() + outage.hours * 3_600_000)}::timestamptz`.execute(
    db,
  )
  const samples = sql`generate_series(${to}::timestamptz - interval '1 hour', ${to}::timestamptz - interval '10 seconds', '10 seconds')`
  await sql`
    insert into router_samples (router_id, at, seconds, cpu_seconds, memory, rx_bytes, tx_bytes)
    select ${routerId}::int, at, ${measured(traffic, 10)}
    from ${shares(samples, to)}`.execute(db)
}

/** Writes the load of the hypervisors in the slots that their routers have. Call it when those are written. */
export async function seedHypervisorHistory(db: Db, to: Date): Promise<void> {
  const carried = sql`(
    select hypervisor_id, slot as at, sum(routers.memory)::float8 / min(hypervisors.memory) as sold,
      max(seconds) as seconds, sum(rx_bytes) as rx_bytes, sum(tx_bytes) as tx_bytes
    from router_slots
    join routers on routers.id = router_slots.router_id
    join hypervisors on hypervisors.id = routers.hypervisor_id
    group by hypervisor_id, hypervisors.memory, slot)`
  await sql`
    insert into hypervisor_slots (hypervisor_id, slot, readings, cpu_usage, memory_usage, seconds, rx_bytes, tx_bytes)
    select hypervisor_id, at, 5, 5 * ${faded(sql`(0.04 + 0.14 * share)`, 0.04)},
      5 * least(1, 0.04 + sold + ${faded(sql`(0.02 * share)`, 0)}), seconds, rx_bytes, tx_bytes
    from ${shares(carried, to)}`.execute(db)
}

/** Seconds, CPU seconds, bytes of memory, bytes received and sent. */
function measured({ peakBps, idleBps }: HistoricTraffic, seconds: number) {
  const bytes = sql`${seconds / 8}::float8 * ${faded(sql`${peakBps}::float8 * share`, idleBps)}`
  return sql`${seconds}::int, ${seconds}::float8 * ${faded(sql`(0.02 + 0.1 * share)`, 0.04)},
    (${faded(sql`(52 + 6 * share)`, 48)} * 1048576)::bigint, (${bytes})::bigint, (${bytes} * 0.35)::bigint`
}

const faded = (busy: RawBuilder<unknown>, idle: number) => sql`(${busy} * kept + ${idle}::float8 * (1 - kept))`

const shares = (moments: RawBuilder<unknown>, to: Date) => sql`${moments} as at,
  lateral (select least(1, extract(epoch from ${to}::timestamptz - at)::float8 / ${FADE_HOURS * 3_600}) as left_of) as end_of,
  lateral (select left_of * left_of * (3 - 2 * left_of) as kept) as fade,
  lateral (select extract(epoch from at)::float8 as s, extract(isodow from at at time zone 'UTC') as day) as moment,
  lateral (select mod((s / 3600)::numeric, 24)::float8 - 20 as from_peak) as clock,
  lateral (select (0.2 + 0.8 * exp(-power(least(abs(from_peak), 24 - abs(from_peak)) / 4, 2)))
    * (case when day >= 6 then 1.1 else 1 end)
    * (1 + 0.07 * sin(s / 1300) + 0.05 * sin(s / 530) + 0.03 * sin(s / 217)) as share) as load`
