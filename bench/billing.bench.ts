/**
 * The monthly run over a hundred thousand customers, and the 95th percentile of ten thousand ports. The floor of the run
 * is the database alone: the same rows of invoices, lines and books copied by one statement each. The percentile's peer
 * is sorting, which is what everybody does.
 */
import { sql } from 'kysely'
import { billedRank, valueAtRank } from '../src/billing/metering/percentile.ts'
import { monthOf, type Interval } from '../src/billing/charges/period.ts'
import { runBatch } from '../src/billing/invoices/run-job.ts'
import { verifyBooks } from '../src/billing/ledger/verify.ts'
import type { Db } from '../src/platform/db/index.ts'
import type { Bench } from './bench.ts'
import { onOwnDatabase } from './own-database.ts'

const CUSTOMERS = 100_000
const PORTS = 10_000
const SLOTS = 31 * 288

export default {
  open: () =>
    onOwnDatabase(async ({ db }) => {
      await addCustomers(db)
      let months = 0
      let last: Interval | undefined
      const ports = inventPorts()
      const scratch = new Float64Array(SLOTS)
      return {
        comparisons: [
          {
            name: `${CUSTOMERS} customers billed, killed once in the middle`,
            unit: 'per second' as const,
            warmUps: 0,
            ours: async () => {
              last = monthOf(new Date(Date.UTC(2026, months++, 15)))
              return CUSTOMERS / (await billMonth(db, last))
            },
            peer: {
              name: 'the same rows copied by PostgreSQL',
              measure: async () => CUSTOMERS / (await copyMonth(db, last!)),
            },
          },
          {
            name: `a month of ${PORTS} ports to percentiles`,
            unit: 'ms' as const,
            ours: async () => timed(() => percentiles(ports, (values) => select(values, scratch))),
            peer: {
              name: 'the same by sorting',
              measure: async () => timed(() => percentiles(ports, (values) => sort(values, scratch))),
            },
          },
        ],
      }
    }),
} satisfies Bench

/** A router for each, which exists for good; every tenth had another one for some hours of each month. */
async function addCustomers(db: Db): Promise<void> {
  await sql`insert into users (email, first_name, last_name, password_hash)
    select 'bench' || n || '@example.net', 'Bench', 'Customer', 'none' from generate_series(1, ${CUSTOMERS}::int) n`.execute(
    db,
  )
  await sql`insert into router_spans (router_id, user_id, router_name, plan_slug, plan_name, hourly_price,
      monthly_price, currency, started_at)
    select id, id, 'edge1', 'swift', 'Swift', 2, 990, 'EUR', '2025-12-31' from users`.execute(db)
  await sql`insert into router_spans (router_id, user_id, router_name, plan_slug, plan_name, hourly_price,
      monthly_price, currency, started_at, ended_at)
    select 1000000 + id * 100 + month, id, 'edge2', 'lark', 'Lark', 1, 490, 'EUR', day, day + interval '7 hours'
    from users, generate_series(0, 20) month,
      lateral (select timestamptz '2026-01-10' + month * interval '1 month' as day) at
    where id % 10 = 0`.execute(db)
  await sql`analyze`.execute(db)
}

/** Seconds for the whole run, part of which is done twice because its first try is rolled back. */
async function billMonth(db: Db, month: Interval): Promise<number> {
  const now = new Date(month.to.getTime() + 7 * 3_600_000)
  const began = performance.now()
  let batches = 0
  while (!(await runBatch(db, month, now))) {
    if (++batches === 50) await runKilled(db, month, now)
  }
  const seconds = (performance.now() - began) / 1_000
  await proveMonth(db, month, now)
  return seconds
}

async function runKilled(db: Db, month: Interval, now: Date): Promise<void> {
  const killed = db.transaction().execute(async (transaction) => {
    await runBatch(transaction, month, now)
    throw new Error('killed')
  })
  await killed.catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'killed') throw error
  })
}

async function proveMonth(db: Db, month: Interval, now: Date): Promise<void> {
  const count = async (): Promise<number> =>
    (await sql<{ n: number }>`select count(*)::int as n from invoices where period_start = ${month.from}`.execute(db))
      .rows[0]!.n
  if ((await count()) !== CUSTOMERS) throw new Error(`${await count()} invoices for ${CUSTOMERS} customers`)
  await runBatch(db, month, now)
  if ((await count()) !== CUSTOMERS) throw new Error('a second run wrote something')
  const [wrong] = await verifyBooks(db)
  if (wrong) throw new Error(`${wrong.subject} ${wrong.detail}`)
}

/** Seconds for the rows of that month, into tables of the same columns without a rule or an index. */
async function copyMonth(db: Db, month: Interval): Promise<number> {
  const tables = {
    invoices: sql`select * from invoices where period_start = ${month.from}`,
    invoice_lines: sql`select invoice_lines.* from invoice_lines join invoices on id = invoice_id
      where period_start = ${month.from}`,
    ledger_transactions: sql`select * from ledger_transactions where at >= ${month.to}`,
    ledger_entries: sql`select ledger_entries.* from ledger_entries join ledger_transactions on
      ledger_transactions.id = transaction_id where at >= ${month.to}`,
  }
  for (const name of Object.keys(tables)) {
    await sql`create table if not exists ${sql.table(`copied_${name}`)} (like ${sql.table(name)})`.execute(db)
    await sql`truncate ${sql.table(`copied_${name}`)}`.execute(db)
  }
  const began = performance.now()
  for (const [name, rows] of Object.entries(tables)) {
    await sql`insert into ${sql.table(`copied_${name}`)} ${rows}`.execute(db)
  }
  return (performance.now() - began) / 1_000
}

interface Port {
  readonly received: Float64Array
  readonly sent: Float64Array
}

/** A day and a night, noise, and a burst now and then; a thousand ports, each looked at ten times. */
function inventPorts(): readonly Port[] {
  let seed = 1
  const next = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const series = () =>
    Float64Array.from({ length: SLOTS }, (_, slot) => {
      const day = 1 + Math.sin((slot / 288) * 2 * Math.PI)
      return Math.floor(day * 1e9 * next() * (next() > 0.99 ? 20 : 1))
    })
  return Array.from({ length: PORTS / 10 }, () => ({ received: series(), sent: series() }))
}

/** The sum of all, so that two ways can be held against each other. */
function percentiles(ports: readonly Port[], pick: (port: Port) => number): number {
  let sum = 0
  for (let round = 0; round < PORTS / ports.length; round++) for (const port of ports) sum += pick(port)
  return sum
}

function fill({ received, sent }: Port, scratch: Float64Array): void {
  for (let slot = 0; slot < SLOTS; slot++) scratch[slot] = Math.max(received[slot]!, sent[slot]!)
}

function select(port: Port, scratch: Float64Array): number {
  fill(port, scratch)
  return valueAtRank(scratch, billedRank(SLOTS))
}

function sort(port: Port, scratch: Float64Array): number {
  fill(port, scratch)
  return scratch.sort()[SLOTS - billedRank(SLOTS)]!
}

let expected: number | undefined

function timed(work: () => number): number {
  const began = performance.now()
  const sum = work()
  const took = performance.now() - began
  expected ??= sum
  if (sum !== expected) throw new Error('selecting and sorting disagree')
  return took
}
