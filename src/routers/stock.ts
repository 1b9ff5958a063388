/** What the operator has to sell from: sites, hypervisors, address pools, images and plans. Written from the shell. */
import type { Insertable } from 'kysely'
import { conflict, invalid } from '../kernel/problem.ts'
import { audit, type Actor } from '../platform/audit.ts'
import type { Db } from '../platform/db/index.ts'
import { publish } from '../platform/events.ts'
import { explainPool, type NewPool } from './new-pool.ts'
import { HYPERVISOR_SLUG } from './seed.ts'
import type { HypervisorsTable } from './tables.ts'

export type { NewPool }

const record = (db: Db, actor: Actor, action: string, id: number, data: object): Promise<void> =>
  audit(db, actor, { action, subject: { type: action.split('.')[0]!, id }, userId: null, data: { ...data } })

const SLUG = /^[a-z0-9-]{1,40}$/

function demandSlug(slug: string): void {
  if (!SLUG.test(slug)) {
    throw invalid([{ field: 'slug', message: 'takes 1 to 40 small letters, digits and hyphens' }])
  }
}

export async function addSite(db: Db, actor: Actor, site: { slug: string; name: string }): Promise<void> {
  demandSlug(site.slug)
  const added = await db
    .insertInto('sites')
    .values(site)
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw conflict(`There is a site "${site.slug}" already.`)
  await record(db, actor, 'site.added', added.id, site)
}

export interface HypervisorSettings {
  readonly slug: string
  readonly name?: string | undefined
  readonly site?: string | undefined
  readonly cpus?: number | undefined
  /** MiB */
  readonly memory?: number | undefined
  /** GiB */
  readonly disk?: number | undefined
  readonly cpuOvercommit?: number | undefined
}

/** Makes it so; a new one needs its site and its size. A smaller size moves no routers: nothing more is placed there. */
export async function setHypervisor(db: Db, actor: Actor, settings: HypervisorSettings): Promise<number> {
  if (settings.slug !== HYPERVISOR_SLUG) {
    throw invalid([{ field: 'slug', message: `takes ${HYPERVISOR_SLUG}: the one hypervisor that a portal drives` }])
  }
  const before = await db
    .selectFrom('hypervisors')
    .select(['id', 'name', 'site_id', 'cpus', 'memory', 'disk'])
    .where('slug', '=', settings.slug)
    .forUpdate()
    .executeTakeFirst()
  const given = {
    ...(settings.name !== undefined && { name: settings.name }),
    ...(settings.site !== undefined && { site_id: await siteId(db, settings.site) }),
    ...(settings.cpus !== undefined && { cpus: settings.cpus }),
    ...(settings.memory !== undefined && { memory: settings.memory }),
    ...(settings.disk !== undefined && { disk: settings.disk }),
    ...(settings.cpuOvercommit !== undefined && { cpu_overcommit: settings.cpuOvercommit }),
  }
  if (!before) return addHypervisor(db, actor, settings.slug, given)
  if (given.site_id !== undefined && given.site_id !== before.site_id) await demandEmpty(db, before.id)
  if (Object.keys(given).length > 0) {
    await db.updateTable('hypervisors').set(given).where('id', '=', before.id).execute()
    await record(db, actor, 'hypervisor.changed', before.id, { before, after: given })
    await publish(db, { type: 'hypervisor', id: before.id, userId: null })
  }
  return before.id
}

type Given = Partial<
  Pick<Insertable<HypervisorsTable>, 'name' | 'site_id' | 'cpus' | 'memory' | 'disk' | 'cpu_overcommit'>
>

async function addHypervisor(db: Db, actor: Actor, slug: string, given: Given): Promise<number> {
  const { site_id, cpus, memory, disk } = given
  if (site_id === undefined || cpus === undefined || memory === undefined || disk === undefined) {
    const missing = { site: site_id, cpus, memory, disk }
    throw invalid(
      Object.entries(missing)
        .filter(([, value]) => value === undefined)
        .map(([field]) => ({ field, message: 'is required for a new hypervisor' })),
    )
  }
  const { id } = await db
    .insertInto('hypervisors')
    // What drives it is noted when it first answers.
    .values({ name: slug, ...given, slug, site_id, cpus, memory, disk, driver: 'libvirt' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(db, actor, 'hypervisor.added', id, { slug, ...given })
  await publish(db, { type: 'hypervisor', id, userId: null })
  return id
}

/** Its routers have addresses of their site's segment. */
async function demandEmpty(db: Db, hypervisorId: number): Promise<void> {
  const router = await db
    .selectFrom('routers')
    .select('id')
    .where('hypervisor_id', '=', hypervisorId)
    .executeTakeFirst()
  if (router) throw conflict('Routers live on this hypervisor: it cannot go to another site.')
}

/** A segment that the site's routers attach to. */
export async function addPool(db: Db, actor: Actor, site: string, pool: NewPool): Promise<void> {
  const id = await siteId(db, site)
  const others = await db.selectFrom('address_pools').select(['prefix4', 'prefix6']).execute()
  const problems = explainPool(pool, others)
  if (problems.length > 0) throw invalid(problems)
  const added = await db
    .insertInto('address_pools')
    .values({ site_id: id, ...pool })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(db, actor, 'pool.added', added.id, { site, ...pool })
}

export interface NewImage {
  readonly slug: string
  readonly name: string
  readonly description: string
  /** As the hypervisor knows it. */
  readonly source: string
}

export async function addImage(db: Db, actor: Actor, image: NewImage): Promise<void> {
  demandSlug(image.slug)
  const added = await db
    .insertInto('images')
    .values((eb) => ({
      ...image,
      position: eb.selectFrom('images').select((count) => count.fn.countAll<number>().as('n')),
    }))
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw conflict(`There is an image "${image.slug}" already.`)
  await record(db, actor, 'image.added', added.id, image)
}

export interface NewPlan {
  readonly slug: string
  readonly name: string
  readonly cpus: number
  /** MiB */
  readonly memory: number
  /** GiB */
  readonly diskSize: number
  /** Minor units of `currency`. */
  readonly hourlyPrice: number
  readonly monthlyPrice: number
  readonly currency: string
}

/** Last in the price list. The caller gives it its first price in the same transaction. */
export async function addPlan(db: Db, actor: Actor, plan: NewPlan): Promise<void> {
  demandSlug(plan.slug)
  const added = await db
    .insertInto('plans')
    .values((eb) => ({
      slug: plan.slug,
      name: plan.name,
      cpus: plan.cpus,
      memory: plan.memory,
      disk_size: plan.diskSize,
      hourly_price: plan.hourlyPrice,
      monthly_price: plan.monthlyPrice,
      currency: plan.currency,
      position: eb.selectFrom('plans').select((count) => count.fn.countAll<number>().as('n')),
    }))
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw conflict(`There is a plan "${plan.slug}" already; a retired one keeps its name.`)
  await record(db, actor, 'plan.added', added.id, plan)
}

/** Nobody can choose it any more; routers that are on it stay on it, at its price. */
export async function retirePlan(db: Db, actor: Actor, slug: string, now: Date): Promise<void> {
  const plan = await db
    .updateTable('plans')
    .set((eb) => ({ retired_at: eb.fn.coalesce('retired_at', eb.val(now)) }))
    .where('slug', '=', slug)
    .returning(['id', 'retired_at'])
    .executeTakeFirst()
  if (!plan) throw invalid([{ field: 'plan', message: `there is no plan "${slug}"` }])
  if (plan.retired_at?.getTime() === now.getTime()) await record(db, actor, 'plan.retired', plan.id, { slug })
}

async function siteId(db: Db, slug: string): Promise<number> {
  const site = await db.selectFrom('sites').select('id').where('slug', '=', slug).executeTakeFirst()
  if (!site) throw invalid([{ field: 'site', message: `there is no site "${slug}": add it first` }])
  return site.id
}
