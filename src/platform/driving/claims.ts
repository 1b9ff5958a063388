/**
 * Who drives what, as rows: of hosts and of edges, each in a table of its own with these columns. Times are the database's,
 * so that the clocks of machines need not agree. See docs/decisions/0015-several-hosts.md.
 */
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Some signs of life may be late or lost; what is asked meanwhile of one that died waits. */
export const GONE_AFTER_S = 30

/** Of a table of drivers: whether a process lives that drives it. */
export const isAlive = sql<boolean>`coalesce(seen_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_S)}), false)`

/** Whether another process has said lately that it wants it too. */
export const isWaiting = sql<boolean>`coalesce(waiting_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_S)}), false)`

export type DriversTable = 'hypervisor_drivers' | 'transit_edge_drivers'

export type Claim = { readonly term: string } | { readonly refused: string }

/** What a claim writes, whatever it is of. The term is another for each time that a process takes it. */
export const claimedBy = (process: string) => ({
  term: sql<string>`gen_random_uuid()`,
  process: process.slice(0, 200),
  since: sql<Date>`now()`,
  seen_at: sql<Date>`now()`,
  waiting: null,
  waiting_at: null,
})

/** A sign of life. False when the claim is another's by now, or gone. */
export async function renewClaim(db: Db, table: DriversTable, slug: string, term: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set seen_at = now() where slug = ${slug} and term = ${term}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** That a process wants it too, and why it has to wait; also of what nobody has driven yet. */
export async function noteWaiting(db: Db, table: DriversTable, slug: string, waiting: string): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (slug, waiting, waiting_at) values (${slug}, ${waiting.slice(0, 500)}, now())
    on conflict (slug) do update set waiting = excluded.waiting, waiting_at = excluded.waiting_at`.execute(db)
}

/** Who drives it and who waits for it, as staff see both. */
export const viewClaim = (row: {
  readonly process: string | null
  readonly alive: boolean
  readonly since: Date | null
  readonly seen_at: Date | null
  readonly waits: boolean
  readonly waiting: string | null
}) => ({
  process:
    row.process === null
      ? null
      : {
          name: row.process,
          alive: row.alive,
          since: row.since!.toISOString(),
          seenAt: row.seen_at!.toISOString(),
        },
  waiting: row.waits ? row.waiting : null,
})
