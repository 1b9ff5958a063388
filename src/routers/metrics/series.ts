/** Returns measurements for graphs and as evidence. */
import type { AccountId } from '../../kernel/ids.ts'
import { sql, type RawBuilder } from 'kysely'
import { invalid } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import type { MetricsPoint, MetricsSeries } from '../contract.ts'
import '../tables.ts'
import { SLOT_MS, slotStart } from './counters.ts'
import { SAMPLES_RETENTION_MS, SLOTS_RETENTION_MS } from './retention.ts'

const MAX_POINTS = 1000
const HOUR_MS = 3_600_000
/** Fine enough for a screen when no step is requested. */
const POINTS_BY_DEFAULT = 360
const SAMPLE_SECONDS = 10

export interface SeriesQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step?: number | undefined
}

interface Router {
  readonly id: number
  readonly cpus: number
}

interface Window {
  readonly from: Date
  readonly to: Date
  readonly step: number
  /** From samples, else from slots. */
  readonly fine: boolean
}

/**
 * Chooses the steps of a window: from fine samples where they still exist and the step needs them, else from
 * five-minute slots. `sampled` is false for what has no samples.
 */
export function chooseWindow(query: SeriesQuery, now: Date, { sampled = true } = {}): Window {
  const to = query.to ? new Date(query.to) : now
  const since = query.from ? new Date(query.from) : new Date(to.getTime() - HOUR_MS)
  const seconds = (to.getTime() - since.getTime()) / 1000
  if (seconds <= 0) throw invalid([{ field: 'from', message: 'must lie before `to`' }])
  if (seconds * 1000 > SLOTS_RETENTION_MS)
    throw invalid([{ field: 'from', message: 'is older than the data that is kept' }])
  const kept = sampled && since.getTime() >= now.getTime() - SAMPLES_RETENTION_MS
  const asked = query.step ?? Math.ceil(seconds / POINTS_BY_DEFAULT)
  const fine = kept && asked < SLOT_MS / 1000
  // A part of a slot has no value of its own.
  const from = fine ? since : new Date(slotStart(since.getTime()))
  const least = (to.getTime() - from.getTime()) / 1000 / MAX_POINTS
  const grain = fine ? SAMPLE_SECONDS : SLOT_MS / 1000
  const step = Math.ceil(Math.max(asked, least) / grain) * grain
  return { from, to, step, fine }
}

export async function readSeries(db: Db, router: Router, query: SeriesQuery, now: Date): Promise<MetricsSeries> {
  const window = chooseWindow(query, now)
  return seriesOf(window, await readBuckets(db, router, window))
}

export type Rates = Omit<MetricsPoint, 'at'>

/** Returns one point for each step, null where nothing was measured. */
export function seriesOf(window: Window, buckets: ReadonlyMap<number, Rates>): MetricsSeries {
  const series: MetricsSeries = {
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    step: window.step,
    times: [],
    cpu: [],
    memory: [],
    rx: [],
    tx: [],
  }
  for (let start = window.from.getTime(), n = 0; start < window.to.getTime(); start += window.step * 1000, n++) {
    const bucket = buckets.get(n)
    series.times.push(new Date(Math.min(start + window.step * 1000, window.to.getTime())).toISOString())
    series.cpu.push(bucket?.cpu ?? null)
    series.memory.push(bucket?.memory ?? null)
    series.rx.push(bucket?.rx ?? null)
    series.tx.push(bucket?.tx ?? null)
  }
  return series
}

/** The number of the step in which a time lies. */
export const bucketOf = (at: RawBuilder<unknown>, { from, step }: Window): RawBuilder<number> =>
  sql<number>`floor(extract(epoch from (${at} - ${from}::timestamptz)) / ${step}::int)::int`

async function readBuckets(db: Db, router: Router, window: Window): Promise<Map<number, Rates>> {
  // A sample is timed at its end, a slot at its beginning.
  const table = window.fine ? sql`router_samples` : sql`router_slots`
  const at = window.fine ? sql`at - interval '1 microsecond'` : sql`slot`
  const { rows } = await sql<Sums & { bucket: number }>`
    select ${bucketOf(at, window)} as bucket,
      sum(seconds)::float8 as seconds, sum(cpu_seconds)::float8 as cpu_seconds, avg(memory)::float8 as memory,
      sum(rx_bytes)::float8 as rx_bytes, sum(tx_bytes)::float8 as tx_bytes
    from ${table}
    where router_id = ${router.id} and ${at} >= ${window.from} and ${at} < ${window.to}
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.bucket, rates(row, router.cpus)]))
}

interface Sums {
  readonly seconds: number
  readonly cpu_seconds: number | null
  readonly memory: number | null
  readonly rx_bytes: number
  readonly tx_bytes: number
}

const MEBIBYTE = 1 << 20
/** To a hundredth of a MiB: about 10 KiB, finer than any guest's use varies. */
const mebibytesOf = (bytes: number): number => Math.round((bytes / MEBIBYTE) * 100) / 100

/** Emulation may use more than the guest's CPUs: a fraction above one helps no reader. */
const rates = (sums: Sums, cpus: number): Rates => ({
  cpu: sums.cpu_seconds === null ? null : Math.min(1, sums.cpu_seconds / sums.seconds / cpus),
  memory: sums.memory === null ? null : mebibytesOf(sums.memory),
  rx: Math.round((sums.rx_bytes * 8) / sums.seconds),
  tx: Math.round((sums.tx_bytes * 8) / sums.seconds),
})

export async function latestMetrics(db: Db, router: Router): Promise<MetricsPoint | null> {
  const sample = await db
    .selectFrom('router_samples')
    .selectAll()
    .where('router_id', '=', router.id)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return sample ? { at: sample.at.toISOString(), ...rates(sample, router.cpus) } : null
}

export interface TrafficSlot {
  readonly routerId: number
  /** The start of its five minutes, on the clock. */
  readonly slot: Date
  /** How many of its 300 seconds were measured. */
  readonly seconds: number
  readonly rxBytes: number
  readonly txBytes: number
}

/**
 * Returns exact bytes of all routers that a user had, including deleted ones: the 95th percentile is computed from
 * them.
 */
export async function trafficSlots(db: Db, accountId: AccountId, from: Date, to: Date): Promise<TrafficSlot[]> {
  const rows = await db
    .selectFrom('router_slots')
    .select(['router_id', 'slot', 'seconds', 'rx_bytes', 'tx_bytes'])
    .where('account_id', '=', accountId)
    .where('slot', '>=', from)
    .where('slot', '<', to)
    .orderBy('slot')
    .orderBy('router_id')
    .execute()
  return rows.map((row) => ({
    routerId: row.router_id,
    slot: row.slot,
    seconds: row.seconds,
    rxBytes: row.rx_bytes,
    txBytes: row.tx_bytes,
  }))
}
