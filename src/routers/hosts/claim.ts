/** Which process drives which hypervisor, as rows: see docs/decisions/0015-several-hosts.md. */
import { sql } from 'kysely'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import { claimedBy, isAlive, type Claim } from '../../platform/driving/claims.ts'
import '../tables.ts'

export interface Claimant {
  readonly slug: string
  /** Whose machines it finds at the driver: a number from its DATA_DIR. */
  readonly installation: string
  /** In words that lead a person to it. */
  readonly process: string
  /** Where other processes reach it; null where they cannot. */
  readonly url: string | null
}

/**
 * Written by whoever holds the hypervisor's lock. Refused to another installation while the hypervisor has routers: it would
 * find none of their machines and make them all again, without what is on their disks.
 */
export function claimHypervisor(database: Db, { slug, installation, process, url }: Claimant): Promise<Claim> {
  return inTransaction(database, async (db) => {
    const others = await db
      .selectFrom('hypervisor_drivers')
      .select(['slug', 'installation', 'process', 'seen_at', isAlive.as('alive'), hasRouters.as('sold')])
      .where((eb) => eb.or([eb('slug', '=', slug), eb('installation', '=', installation)]))
      .forUpdate()
      .execute()
    const before = others.find((one) => one.slug === slug)
    if (before?.installation && before.installation !== installation && before.sold) {
      return { refused: explainForeign(slug, before) }
    }
    const elsewhere = others.find((one) => one.slug !== slug)
    if (elsewhere && (elsewhere.alive || elsewhere.sold)) {
      return { refused: `Its DATA_DIR is that of ${elsewhere.slug}: one installation drives one hypervisor.` }
    }
    if (elsewhere) await db.deleteFrom('hypervisor_drivers').where('slug', '=', elsewhere.slug).execute()
    const claim = { installation, url, ...claimedBy(process) }
    const { term } = await db
      .insertInto('hypervisor_drivers')
      .values({ slug, ...claim })
      .onConflict((clash) => clash.column('slug').doUpdateSet(claim))
      .returning('term')
      .executeTakeFirstOrThrow()
    return { term: term! }
  })
}

const hasRouters = sql<boolean>`exists (select from routers join hypervisors on hypervisors.id = hypervisor_id
  where hypervisors.slug = hypervisor_drivers.slug)`

const explainForeign = (slug: string, { process, seen_at: seen }: { process: string | null; seen_at: Date | null }) =>
  `Its routers live with another installation, last driven by ${process ?? 'nobody'} until ${seen?.toISOString() ?? 'long ago'}. ` +
  `To make all of them again here, without their disks: longhaul hypervisor adopt ${slug}`

/** The short names of hypervisors that some process drives; `own` is what this very one drives, or begins to. */
export async function listDriven(db: Db, own: Iterable<string>): Promise<string[]> {
  const rows = await db.selectFrom('hypervisor_drivers').select('slug').where(isAlive, '=', true).execute()
  return [...new Set([...own, ...rows.map(({ slug }) => slug)])]
}

/** Where the process is that drives it, and by which number it knows its claim; undefined when none lives. */
export const findDriver = (db: Db, slug: string) =>
  db
    .selectFrom('hypervisor_drivers')
    .select(['url', 'term'])
    .where('slug', '=', slug)
    .where(isAlive, '=', true)
    .executeTakeFirst()
