/** Sets how much of a host may be sold. */
import type { Insertable } from 'kysely'
import { conflict, invalid } from '../../kernel/problem.ts'
import type { Actor } from '../../platform/audit.ts'
import { NO_HYPERVISOR } from '../../platform/settings.ts'
import type { Db } from '../../platform/db/index.ts'
import { requireUniqueNames, withUniqueNames, type UniqueNameKind } from '../../platform/unique-names.ts'
import type { HypervisorsTable } from '../tables.ts'
import { differences, recordInventoryChange, siteId } from './record.ts'

const HYPERVISOR: UniqueNameKind = { table: 'hypervisors', a: 'a hypervisor' }

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
  /** MiB of its memory that are not for routers; null for the default. */
  readonly memoryReserve?: number | null | undefined
}

/** Adds a hypervisor; fails if the name exists. */
export async function addNewHypervisor(db: Db, actor: Actor, settings: HypervisorSettings): Promise<number> {
  await requireUniqueNames(db, HYPERVISOR, { slug: settings.slug, name: settings.name ?? settings.slug })
  return setHypervisor(db, actor, settings)
}

/**
 * Applies the settings; a new hypervisor needs its site and its size. A smaller size moves no routers: it only stops
 * new ones.
 */
export async function setHypervisor(db: Db, actor: Actor, settings: HypervisorSettings): Promise<number> {
  const row = await db
    .selectFrom('hypervisors')
    .select(['id', 'name', 'site_id', 'cpus', 'memory', 'memory_reserve', 'disk', 'cpu_overcommit'])
    .where('slug', '=', settings.slug)
    .forUpdate()
    .executeTakeFirst()
  if (settings.slug === NO_HYPERVISOR) {
    throw invalid([{ field: 'slug', message: `is reserved: HYPERVISOR=${NO_HYPERVISOR} means no hypervisor` }])
  }
  const given = {
    ...(settings.name !== undefined && { name: settings.name }),
    ...(settings.site !== undefined && { site_id: await siteId(db, settings.site) }),
    ...(settings.cpus !== undefined && { cpus: settings.cpus }),
    ...(settings.memory !== undefined && { memory: settings.memory }),
    ...(settings.disk !== undefined && { disk: settings.disk }),
    ...(settings.cpuOvercommit !== undefined && { cpu_overcommit: settings.cpuOvercommit }),
    ...(settings.memoryReserve !== undefined && { memory_reserve: settings.memoryReserve }),
  }
  if (!row) return addHypervisor(db, actor, settings.slug, given)
  const { id, ...before } = { ...row, cpu_overcommit: Number(row.cpu_overcommit) }
  const changed = differences(before, given)
  if (!changed) return id
  if ('site_id' in changed.after) await requireEmpty(db, id)
  await withUniqueNames(db, HYPERVISOR, { id, name: given.name }, () =>
    db.updateTable('hypervisors').set(given).where('id', '=', id).execute(),
  )
  await recordInventoryChange(db, actor, 'hypervisor.changed', id, changed)
  return id
}

type Given = Partial<
  Pick<
    Insertable<HypervisorsTable>,
    'name' | 'site_id' | 'cpus' | 'memory' | 'memory_reserve' | 'disk' | 'cpu_overcommit'
  >
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
  const { name = slug } = given
  const added = await withUniqueNames(db, HYPERVISOR, { slug, name }, () =>
    db
      .insertInto('hypervisors')
      // The real driver is recorded when it first answers.
      .values({ ...given, slug, name, site_id, cpus, memory, disk, driver: 'libvirt' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await recordInventoryChange(db, actor, 'hypervisor.added', added.id, { slug, ...given })
  return added.id
}

/** Its routers have addresses of their site's segment. */
async function requireEmpty(db: Db, hypervisorId: number): Promise<void> {
  const router = await db
    .selectFrom('routers')
    .select('id')
    .where('hypervisor_id', '=', hypervisorId)
    .executeTakeFirst()
  if (router) throw conflict('This hypervisor has routers and can’t be moved to another site.', 'in_use')
}
