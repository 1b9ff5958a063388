/** The load of a hypervisor over time, in the five-minute slots of its routers. */
import { sql } from 'kysely'
import { notFound } from '../../kernel/problem.ts'
import type { Db } from '../../platform/db/index.ts'
import type { MetricsSeries } from '../contract.ts'
import '../tables.ts'
import { SLOT_MS, slotStart } from './counters.ts'
import { bucketOf, chooseWindow, seriesOf, type Rates, type SeriesQuery } from './series.ts'

/** Each router of a slot is saved within this after its start: a sum of only some of them would look like a drop. */
const COMPLETE_AFTER_MS = SLOT_MS + 90_000

/** Adds one reading of its facts, as fractions from 0 to 1. */
export async function addReading(db: Db, id: number, at: Date, load: { cpu: number; memory: number }): Promise<void> {
  await sql`
    insert into hypervisor_slots (hypervisor_id, slot, readings, cpu_usage, memory_usage)
    values (${id}, ${new Date(slotStart(at.getTime()))}, 1, ${load.cpu}, ${load.memory})
    on conflict (hypervisor_id, slot) do update set
      readings = hypervisor_slots.readings + 1,
      cpu_usage = hypervisor_slots.cpu_usage + excluded.cpu_usage,
      memory_usage = hypervisor_slots.memory_usage + excluded.memory_usage`.execute(db)
}

export async function readHypervisorSeries(db: Db, id: number, query: SeriesQuery, now: Date): Promise<MetricsSeries> {
  const window = chooseWindow(query, now, { sampled: false })
  if (!(await db.selectFrom('hypervisors').select('id').where('id', '=', id).executeTakeFirst())) throw notFound()
  const complete = sql`filter (where slot <= ${new Date(now.getTime() - COMPLETE_AFTER_MS)})`
  const { rows } = await sql<Rates & { bucket: number }>`
    select ${bucketOf(sql`slot`, window)} as bucket,
      sum(cpu_usage)::float8 / nullif(sum(readings), 0) as cpu,
      sum(memory_usage)::float8 / nullif(sum(readings), 0) as memory,
      round(sum(rx_bytes * 8) ${complete} / nullif(sum(seconds) ${complete}, 0)::numeric)::float8 as rx,
      round(sum(tx_bytes * 8) ${complete} / nullif(sum(seconds) ${complete}, 0)::numeric)::float8 as tx
    from hypervisor_slots
    where hypervisor_id = ${id} and slot >= ${window.from} and slot < ${window.to}
    group by 1`.execute(db)
  return seriesOf(window, new Map(rows.map((row) => [row.bucket, row])))
}
