/**
 * Rows that say which process drives which hypervisor: see docs/decisions/0015-several-hypervisors.md and
 * 0022-leases.md.
 */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { isAlive, leaseKey } from '../../platform/leases/agent-lease.ts'
import type { LastHolder } from '../../platform/leases/index.ts'
import '../tables.ts'

export interface HypervisorLeaseRequest {
  readonly slug: string
  /** The installation whose machines it finds at the driver: a number from its DATA_DIR. */
  readonly installation: string
  /** Where other processes reach it; null where they cannot. */
  readonly url: string | null
  /**
   * Whether it may take over its installation from another name that no router is on, for a portal process that was
   * renamed. An agent does only from a hypervisor that was removed, since it may lie.
   */
  readonly replaces: boolean
}

/**
 * Runs in the transaction that takes the lease. Another installation is refused with the reason while the hypervisor
 * has routers. It would find none of their machines and make them again, without the data on their disks.
 */
export async function acquireHypervisorLease(
  db: Db,
  { slug, installation, url, replaces }: HypervisorLeaseRequest,
  last: LastHolder | null,
): Promise<string | null> {
  const others = await db
    .selectFrom('hypervisor_agents')
    .select(['slug', 'installation', hasRouters.as('sold'), isRemoved.as('removed')])
    .where((eb) => eb.or([eb('slug', '=', slug), eb('installation', '=', installation)]))
    .forUpdate()
    .execute()
  const before = others.find((one) => one.slug === slug)
  if (before?.installation && before.installation !== installation && before.sold) return explainForeign(slug, last)
  const elsewhere = others.find((one) => one.slug !== slug)
  const mayReplace = replaces || elsewhere?.removed
  if (elsewhere && (!mayReplace || elsewhere.sold || (await isHeld(db, elsewhere.slug)))) {
    return `Its DATA_DIR is that of ${elsewhere.slug}: one installation drives one hypervisor.`
  }
  if (elsewhere) await db.deleteFrom('hypervisor_agents').where('slug', '=', elsewhere.slug).execute()
  const lease = { installation, url, waiting: null, waiting_at: null }
  await db
    .insertInto('hypervisor_agents')
    .values({ slug, ...lease })
    .onConflict((clash) => clash.column('slug').doUpdateSet(lease))
    .execute()
  return null
}

async function isHeld(db: Db, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('leases as lease')
    .select('key')
    .where('key', '=', leaseKey('hypervisor_agents', slug))
    .where(isAlive, '=', true)
    .executeTakeFirst()
  return row !== undefined
}

const hasRouters = sql<boolean>`exists (select from routers join hypervisors on hypervisors.id = hypervisor_id
  where hypervisors.slug = hypervisor_agents.slug)`

const isRemoved = sql<boolean>`not exists (select from hypervisors where hypervisors.slug = hypervisor_agents.slug)`

const explainForeign = (slug: string, last: LastHolder | null) =>
  `Its routers live with another installation, last driven by ${last?.process ?? 'nobody'} until ${last?.renewedAt.toISOString() ?? 'long ago'}. ` +
  `To make all of them again here, without their disks: longhaul hypervisor reassign ${slug}`

/** Returns the short names of hypervisors that a process drives. `own` is what this process drives, or begins to. */
export async function listLeased(db: Db, own: Iterable<string>): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select split_part(key, ' ', 2) as slug from leases
    where key like 'hypervisor %' and expires_at > clock_timestamp()`.execute(db)
  return [...new Set([...own, ...rows.map(({ slug }) => slug)])]
}

/** Returns where the process that drives it is, and the epoch of its lease; undefined when none does. */
export const findAgent = (db: Db, slug: string) =>
  db
    .selectFrom('hypervisor_agents')
    .innerJoin('leases as lease', (join) => join.on('lease.key', '=', leaseKey('hypervisor_agents', slug)))
    .select(['url', sql<string>`lease.epoch::text`.as('term')])
    .where('slug', '=', slug)
    .where(isAlive, '=', true)
    .executeTakeFirst()
