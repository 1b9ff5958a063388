/** A small, believable operator: one site, one hypervisor, one segment, one image and a price list. */
import { FIRST_HYPERVISOR } from '../platform/settings.ts'
import { inTransaction, type Db } from '../platform/db/index.ts'
import './tables.ts'

export interface SeedOptions {
  /** Of the hypervisor; that of a portal of one host unless set. */
  readonly slug?: string
  readonly driver: 'libvirt' | 'simulated'
  /** What the hypervisor has: MiB and GiB. */
  readonly cpus: number
  readonly memory: number
  readonly disk: number
  /** Name of the image at the hypervisor. */
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

/** Writes what is not there yet; again, it changes nothing. */
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

export interface HistoricRouter {
  readonly userId: number
  readonly name: string
  /** The slug of its plan. */
  readonly plan: string
  readonly startedAt: Date
  readonly endedAt: Date
}

/** Routers that came and went before the demonstration began: what is left of them is what they are charged for. */
export async function seedHistoricRouters(db: Db, routers: readonly HistoricRouter[]): Promise<void> {
  const plans = await db.selectFrom('plans').selectAll().execute()
  const rows = routers.map((router, index) => {
    const plan = plans.find((one) => one.slug === router.plan)!
    return {
      // Below those of routers that exist.
      router_id: -1 - index,
      user_id: router.userId,
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
}
