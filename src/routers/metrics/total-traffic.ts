/** Returns the traffic of all routers together, including deleted ones. */
import { sql } from 'kysely'
import type { Reply } from '../../kernel/endpoint.ts'
import type { Db } from '../../platform/db/index.ts'
import type { RoutersApi } from '../contract.ts'
import '../tables.ts'
import { SLOT_MS, slotStart } from './counters.ts'

const STEPS = 24 * 12

interface Step {
  readonly slot: Date
  readonly rx: number | null
  readonly tx: number | null
  readonly rx_bytes: number
  readonly tx_bytes: number
}

/** Ends with the last complete five minutes: the current ones would look like a drop. */
export async function readTotalTraffic(db: Db, now: Date): Promise<Reply<RoutersApi['GET /api/admin/traffic']>> {
  const to = slotStart(now.getTime())
  const from = to - STEPS * SLOT_MS
  const { rows } = await sql<Step>`
    select slot, sum(rx_bytes * 8 / nullif(seconds, 0))::float8 as rx, sum(tx_bytes * 8 / nullif(seconds, 0))::float8 as tx,
      sum(rx_bytes)::float8 as rx_bytes, sum(tx_bytes)::float8 as tx_bytes
    from router_slots where slot >= ${new Date(from)} and slot < ${new Date(to)}
    group by slot`.execute(db)
  const stepAt = new Map(rows.map((row) => [row.slot.getTime(), row]))
  const steps = Array.from({ length: STEPS }, (_, n) => stepAt.get(from + n * SLOT_MS))
  // As in the chart of each router: averaged over the measured part of the step.
  const rates = (of: 'rx' | 'tx') => steps.map((step) => (step && step[of] !== null ? Math.round(step[of]) : null))
  const total = (of: 'rx_bytes' | 'tx_bytes') => rows.reduce((sum, row) => sum + row[of], 0)
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    times: steps.map((_, n) => new Date(from + (n + 1) * SLOT_MS).toISOString()),
    rx: rates('rx'),
    tx: rates('tx'),
    rxBytes: total('rx_bytes'),
    txBytes: total('tx_bytes'),
  }
}
