/**
 * Which process drives which hypervisor, as rows: see docs/decisions/0015-several-hosts.md. Times are the database's own,
 * so that the clocks of hosts need not agree.
 */
import { sql } from 'kysely'
import { inTransaction, type Db } from '../../platform/db/index.ts'
import '../tables.ts'

/** Some signs of life may be late or lost; what is ordered on a host that died meanwhile waits there. */
export const GONE_AFTER_S = 30

/** Of `hypervisor_drivers`: whether a process lives that drives it. */
export const isAlive = sql<boolean>`coalesce(seen_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_S)}), false)`

/** Whether another process has said lately that it wants it too. */
export const isWaiting = sql<boolean>`coalesce(waiting_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_S)}), false)`

export interface Claimant {
  readonly slug: string
  /** Whose machines it finds at the driver: a number from its DATA_DIR. */
  readonly installation: string
  /** In words that lead a person to it. */
  readonly process: string
  /** Where other processes reach it; null where they cannot. */
  readonly url: string | null
}

export type Claim = { readonly term: string } | { readonly refused: string }

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
    const claim = {
      installation,
      term: sql<string>`gen_random_uuid()`,
      process: process.slice(0, 200),
      url,
      since: sql<Date>`now()`,
      seen_at: sql<Date>`now()`,
      waiting: null,
      waiting_at: null,
    }
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

/** A sign of life. False when the claim is another's by now, or gone. */
export async function renewClaim(db: Db, slug: string, term: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('hypervisor_drivers')
    .set({ seen_at: sql<Date>`now()` })
    .where('slug', '=', slug)
    .where('term', '=', term)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** That a process wants it too, and why it has to wait. */
export async function noteWaiting(db: Db, slug: string, waiting: string): Promise<void> {
  await db
    .updateTable('hypervisor_drivers')
    .set({ waiting: waiting.slice(0, 500), waiting_at: sql<Date>`now()` })
    .where('slug', '=', slug)
    .execute()
}

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
