/** Sites: places where routers run. */
import { notFound } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/index.ts'
import { withUniqueNames, type UniqueNameKind } from '../../platform/unique-names.ts'
import type { Site } from './contract.ts'
import { differences, recordInventoryChange } from './record.ts'

const SITE: UniqueNameKind = { table: 'sites', a: 'a site' }

export async function listSites(db: Db, id?: number): Promise<Site[]> {
  const rows = await db
    .selectFrom('sites')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('hypervisors')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('hypervisors.site_id', '=', 'sites.id')
        .as('hypervisors'),
      eb
        .selectFrom('address_pools')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('address_pools.site_id', '=', 'sites.id')
        .as('pools'),
      eb
        .selectFrom('routers')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('routers.site_id', '=', 'sites.id')
        .as('routers'),
    ])
    .$if(id !== undefined, (query) => query.where('sites.id', '=', id!))
    .orderBy('sites.name')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    closedAt: row.closed_at?.toISOString() ?? null,
    hypervisors: row.hypervisors ?? 0,
    pools: row.pools ?? 0,
    routers: row.routers ?? 0,
  }))
}

export async function addSite(db: Db, actor: Actor, site: { slug: string; name: string }): Promise<number> {
  const added = await withUniqueNames(db, SITE, site, () =>
    db.insertInto('sites').values(site).returning('id').executeTakeFirstOrThrow(),
  )
  await recordInventoryChange(db, actor, 'site.added', added.id, site)
  return added.id
}

export interface SiteChange {
  readonly name?: string | undefined
  /** It takes no new orders; what is there keeps running. */
  readonly closed?: boolean | undefined
}

export async function changeSite(db: Db, actor: Actor, id: number, change: SiteChange, now: Date): Promise<void> {
  const before = await db
    .selectFrom('sites')
    .select(['name', 'closed_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before) throw notFound()
  const changed = differences({ name: before.name, closed: before.closed_at !== null }, change)
  if (!changed) return
  const update = db
    .updateTable('sites')
    .$if(change.name !== undefined, (query) => query.set({ name: change.name! }))
    .$if(change.closed !== undefined && 'closed' in changed.after, (query) =>
      query.set({ closed_at: change.closed ? now : null }),
    )
    .where('id', '=', id)
  await withUniqueNames(db, SITE, { id, name: change.name }, () => update.execute())
  await recordInventoryChange(db, actor, 'site.changed', id, changed)
}
