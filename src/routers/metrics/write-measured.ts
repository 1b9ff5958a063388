/**
 * Writes counters, samples and slots of many routers with one statement each: one per router costs ten times as much.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import '../tables.ts'
import type { Interval, Reading, SlotShare } from './counters.ts'

export interface Known {
  readonly routerId: number
  readonly accountId: AccountId
  readonly uuid: string
  readonly last: Reading | null
}

export async function readCounters(db: Db, hypervisorId: number, uuids: readonly string[]): Promise<Known[]> {
  if (uuids.length === 0) return []
  const rows = await db
    .selectFrom('routers')
    .leftJoin('router_counters', 'router_counters.router_id', 'routers.id')
    .select(['routers.id', 'routers.account_id', 'routers.uuid'])
    .select(['router_counters.at', 'router_counters.cpu_ns', 'router_counters.rx_bytes', 'router_counters.tx_bytes'])
    .where('routers.hypervisor_id', '=', hypervisorId)
    .where('routers.uuid', '=', sql<string>`any(${uuids}::uuid[])`)
    .execute()
  return rows.map((row) => ({
    routerId: row.id,
    accountId: row.account_id,
    uuid: row.uuid,
    last: row.at && {
      at: row.at,
      cpuNs: BigInt(row.cpu_ns!),
      rxBytes: BigInt(row.rx_bytes!),
      txBytes: BigInt(row.tx_bytes!),
    },
  }))
}

export interface Move {
  readonly routerId: number
  /** Null: there are none yet. */
  readonly from: Date | null
  readonly to: Reading
}

/**
 * Returns the routers of the hypervisor whose counters were where the move starts from. A router that is gone has none.
 */
export async function moveCounters(db: Db, hypervisorId: number, moves: readonly Move[]): Promise<Set<number>> {
  const wanted = sql`unnest(
      ${column(moves, (one) => one.routerId)}::int[],
      ${column(moves, (one) => one.from)}::timestamptz[],
      ${column(moves, (one) => one.to.at)}::timestamptz[],
      ${column(moves, (one) => one.to.cpuNs)}::numeric[],
      ${column(moves, (one) => one.to.rxBytes)}::numeric[],
      ${column(moves, (one) => one.to.txBytes)}::numeric[])
    as wanted (router_id, since, at, cpu_ns, rx_bytes, tx_bytes)`
  const { rows } = await sql<{ router_id: number }>`
    with moved as (
      update router_counters set
        at = wanted.at, cpu_ns = wanted.cpu_ns, rx_bytes = wanted.rx_bytes, tx_bytes = wanted.tx_bytes
      from ${wanted} join routers on routers.id = wanted.router_id and routers.hypervisor_id = ${hypervisorId}
      where router_counters.router_id = wanted.router_id and router_counters.at = wanted.since
      returning router_counters.router_id
    ), begun as (
      insert into router_counters (router_id, at, cpu_ns, rx_bytes, tx_bytes)
      select wanted.router_id, wanted.at, wanted.cpu_ns, wanted.rx_bytes, wanted.tx_bytes
      from ${wanted} join routers on routers.id = wanted.router_id and routers.hypervisor_id = ${hypervisorId}
      where wanted.since is null
      on conflict do nothing
      returning router_id
    )
    select router_id from moved union all select router_id from begun`.execute(db)
  return new Set(rows.map((row) => row.router_id))
}

export interface Sample {
  readonly routerId: number
  readonly memory: number | null
  readonly interval: Interval
}

export async function writeSamples(db: Db, samples: readonly Sample[]): Promise<void> {
  if (samples.length === 0) return
  await sql`
    insert into router_samples (router_id, at, seconds, cpu_seconds, memory, rx_bytes, tx_bytes)
    select * from unnest(
      ${column(samples, (one) => one.routerId)}::int[],
      ${column(samples, (one) => one.interval.to)}::timestamptz[],
      ${column(samples, ({ interval }) => (interval.to.getTime() - interval.from.getTime()) / 1000)}::real[],
      ${column(samples, (one) => one.interval.cpuSeconds)}::real[],
      ${column(samples, (one) => one.memory)}::bigint[],
      ${column(samples, (one) => one.interval.rxBytes)}::bigint[],
      ${column(samples, (one) => one.interval.txBytes)}::bigint[])
    on conflict do nothing`.execute(db)
}

export interface SlotRow extends SlotShare {
  readonly routerId: number
  readonly accountId: AccountId
  readonly memory: number | null
}

/**
 * Adds to what the slots of the routers and of their hypervisor already hold. A hypervisor was measured for as long as
 * the router that was measured longest.
 */
export async function writeSlots(db: Db, hypervisorId: number, shares: readonly SlotRow[]): Promise<void> {
  if (shares.length === 0) return
  await sql`
    with shares as (select * from unnest(
      ${column(shares, (one) => one.routerId)}::int[],
      ${column(shares, (one) => one.accountId)}::int[],
      ${column(shares, (one) => one.slot)}::timestamptz[],
      ${column(shares, (one) => one.seconds)}::real[],
      ${column(shares, (one) => one.cpuSeconds)}::real[],
      ${column(shares, (one) => one.memory)}::bigint[],
      ${column(shares, (one) => one.rxBytes)}::bigint[],
      ${column(shares, (one) => one.txBytes)}::bigint[])
      as share (router_id, account_id, slot, seconds, cpu_seconds, memory, rx_bytes, tx_bytes)
    ), written as (
      insert into router_slots (router_id, account_id, slot, seconds, cpu_seconds, memory, rx_bytes, tx_bytes)
      select * from shares
      on conflict (router_id, slot) do update set
        seconds = router_slots.seconds + excluded.seconds,
        cpu_seconds = router_slots.cpu_seconds + excluded.cpu_seconds,
        memory = coalesce(excluded.memory, router_slots.memory),
        rx_bytes = router_slots.rx_bytes + excluded.rx_bytes,
        tx_bytes = router_slots.tx_bytes + excluded.tx_bytes
      returning router_id, slot, seconds
    )
    insert into hypervisor_slots (hypervisor_id, slot, seconds, rx_bytes, tx_bytes)
    select ${hypervisorId}::int, slot, max(written.seconds), sum(shares.rx_bytes), sum(shares.tx_bytes)
    from shares join written using (router_id, slot)
    group by slot
    order by slot
    on conflict (hypervisor_id, slot) do update set
      seconds = greatest(hypervisor_slots.seconds, excluded.seconds),
      rx_bytes = hypervisor_slots.rx_bytes + excluded.rx_bytes,
      tx_bytes = hypervisor_slots.tx_bytes + excluded.tx_bytes`.execute(db)
}

/** Returns one column of all rows as PostgreSQL array text. None of these values needs quotes. */
function column<T>(rows: readonly T[], pick: (row: T) => number | bigint | Date | null): RawBuilder<string> {
  const cells = rows.map((row) => {
    const cell = pick(row)
    return cell === null ? 'NULL' : cell instanceof Date ? cell.toISOString() : String(cell)
  })
  return sql<string>`${`{${cells.join(',')}}`}`
}
