/**
 * Records which process drives a hypervisor or an edge. Its lease says which one and until when; a table for each kind
 * has a row with what the process reports. Times are the database's. See docs/decisions/0022-leases.md.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/index.ts'
import './tables.ts'

export type AgentsTable = 'hypervisor_agents' | 'transit_edge_agents'

const PREFIXES = { hypervisor_agents: 'hypervisor', transit_edge_agents: 'edge' } as const

export const leaseKey = (table: AgentsTable, slug: string): string => `${PREFIXES[table]} ${slug}`

/** The key of the lease of the row with this `slug`, such as `hypervisors.slug`. */
export const leaseKeyOf = (table: AgentsTable, slug: string): RawBuilder<string> =>
  sql<string>`${sql.lit(`${PREFIXES[table]} `)} || ${sql.ref(slug)}`

/** Returns whether a process holds the lease of the row with this `slug`. The list of held leases is read once for each query. */
export const isDriven = (table: AgentsTable, slug: string): RawBuilder<boolean> =>
  sql<boolean>`(${leaseKeyOf(table, slug)}) in (select held.key from leases held where held.expires_at > clock_timestamp())`

/** A restarted process is back sooner, and another process takes over within this time. */
const LEASE_TTL_S = 15

/** Returns whether the joined row `leases lease` is held. */
export const isAlive = sql<boolean>`coalesce(lease.expires_at > clock_timestamp(), false)`

/** Returns whether the lease has not been held for a while. */
export const isGone = sql<boolean>`coalesce(
  lease.expires_at <= clock_timestamp() and lease.renewed_at < clock_timestamp() - make_interval(secs => ${sql.lit(LEASE_TTL_S)}), true)`

/** A waiting process records this every ten seconds. */
export const isWaiting = sql<boolean>`coalesce(waiting_at > now() - interval '30 seconds', false)`

/** Records that another process wants the lease and why it waits. */
export async function recordWaiting(db: Db, table: AgentsTable, slug: string, waiting: string): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (slug, waiting, waiting_at) values (${slug}, ${waiting.slice(0, 500)}, now())
    on conflict (slug) do update set waiting = excluded.waiting, waiting_at = excluded.waiting_at`.execute(db)
}

/** Says which process drove it last, and until when. */
export const lastDriver = (process: string | null, seen: Date | null): string =>
  process === null || seen === null
    ? 'none has connected yet.'
    : `last seen was ${process} at ${seen.toISOString().slice(0, 19).replace('T', ' ')} UTC.`

/** The holder and the waiting process, as shown to staff. */
export const viewLease = (row: {
  readonly process: string | null
  readonly alive: boolean
  readonly acquired_at: Date | null
  readonly renewed_at: Date | null
  readonly waits: boolean
  readonly waiting: string | null
}) => ({
  process:
    row.process === null
      ? null
      : {
          name: row.process,
          alive: row.alive,
          since: row.acquired_at!.toISOString(),
          seenAt: row.renewed_at!.toISOString(),
        },
  waiting: row.waits ? row.waiting : null,
})
