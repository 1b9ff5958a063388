/**
 * Measures the monthly run over a hundred thousand customers, the 95th percentile of ten thousand ports, and that of a
 * hundred read from the database. The floor of the run is the database alone: the same rows of invoices, lines and
 * ledger, copied by one statement each. The percentile's peers are sorting, the usual way, and PostgreSQL's own
 * percentile_disc over the same slots.
 */
import type { AccountId } from '../src/kernel/ids.ts'
import { sql } from 'kysely'
import { billedRank } from '../src/billing/metering/percentile.ts'
import { monthOf, type Interval } from '../src/billing/charges/period.ts'
import { runBatch } from '../src/billing/invoices/run-job.ts'
import { verifyBooks } from '../src/billing/ledger/verify.ts'
import type { Db } from '../src/platform/db/index.ts'
import { busiestSlots, rankTraffic, type Traffic } from '../src/routers/index.ts'
import type { Bench } from './bench.ts'
import { onOwnDatabase } from './own-database.ts'

const CUSTOMERS = 100_000
const PORTS = 10_000
const STORED_PORTS = 100
const SLOTS = 31 * 288
/** Before everything that is billed. */
const MEASURED = monthOf(new Date(Date.UTC(2024, 2, 15)))

export default {
  open: () =>
    onOwnDatabase(async ({ db }) => {
      await addCustomers(db)
      let months = 0
      let last: Interval | undefined
      await addTraffic(db)
      const ports = inventPorts()
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
            ours: () => timed('ports', async () => eachPort(ports, select)),
            peer: {
              name: 'the same by sorting',
              measure: () => timed('ports', async () => eachPort(ports, sort)),
            },
          },
          {
            name: `a month of ${STORED_PORTS} ports from the database to percentiles`,
            unit: 'ms' as const,
            ours: () => timed('stored ports', () => rankSlots(db)),
            peer: {
              name: 'percentile_disc over the same slots',
              measure: () => timed('stored ports', () => percentileDisc(db)),
            },
          },
        ],
      }
    }),
} satisfies Bench

/** Adds a router for each, which is never deleted; every tenth had another one for some hours of each month. */
async function addCustomers(db: Db): Promise<void> {
  await sql`insert into users (email, first_name, last_name, password_hash)
    select 'bench' || n || '@example.net', 'Bench', 'Customer', 'none' from generate_series(1, ${CUSTOMERS}::int) n`.execute(
    db,
  )
  await sql`insert into router_usage_periods (router_id, account_id, router_name, plan_slug, plan_name, hourly_price,
      monthly_price, currency, started_at)
    select id, account_id, 'edge1', 'swift', 'Swift', 2, 990, 'EUR', '2025-12-31' from users`.execute(db)
  await sql`insert into router_usage_periods (router_id, account_id, router_name, plan_slug, plan_name, hourly_price,
      monthly_price, currency, started_at, ended_at)
    select 1000000 + id * 100 + month, account_id, 'edge2', 'lark', 'Lark', 1, 490, 'EUR', day, day + interval '7 hours'
    from users, generate_series(0, 20) month,
      lateral (select timestamptz '2026-01-10' + month * interval '1 month' as day) at
    where id % 10 = 0`.execute(db)
  await sql`analyze`.execute(db)
}

/** Returns seconds for the whole run. Part of it is done twice because its first try is rolled back. */
async function billMonth(db: Db, month: Interval): Promise<number> {
  const now = new Date(month.to.getTime() + 7 * 3_600_000)
  const began = performance.now()
  let batches = 0
  while (!(await runBatch(db, month, now))) {
    if (++batches === 50) await runCrashed(db, month, now)
  }
  const seconds = (performance.now() - began) / 1_000
  await proveMonth(db, month, now)
  return seconds
}

async function runCrashed(db: Db, month: Interval, now: Date): Promise<void> {
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

/** Returns seconds for the rows of that month, into tables of the same columns without constraints or indexes. */
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

/** A daily pattern, noise, and occasional bursts; a thousand ports, each evaluated ten times. */
function inventPorts(): readonly Traffic[] {
  let seed = 1
  const next = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const series = () =>
    Float64Array.from({ length: SLOTS }, (_, slot) => {
      const day = 1 + Math.sin((slot / 288) * 2 * Math.PI)
      return Math.floor(day * 1e9 * next() * (next() > 0.99 ? 20 : 1))
    })
  return Array.from({ length: PORTS / 10 }, () => ({ received: series(), sent: series() }))
}

/** Returns the sum of all, so that two methods can be compared. */
function eachPort(ports: readonly Traffic[], pick: (port: Traffic) => number): number {
  let sum = 0
  for (let round = 0; round < PORTS / ports.length; round++) for (const port of ports) sum += pick(port)
  return sum
}

const select = (port: Traffic): number =>
  rankTraffic(port, { rank: billedRank(SLOTS), direction: 'MAX', threshold: 0 }).bytes

const sort = ({ received, sent }: Traffic): number =>
  received.map((bytes, slot) => Math.max(bytes, sent[slot]!)).sort()[SLOTS - billedRank(SLOTS)]!

/** Adds the same traffic to the database. */
async function addTraffic(db: Db): Promise<void> {
  await sql`select setseed(0.5)`.execute(db)
  await sql`insert into router_slots (router_id, account_id, slot, seconds, rx_bytes, tx_bytes)
    select users.id, users.account_id, ${MEASURED.from}::timestamptz + n * interval '5 minutes', 300,
      (1e9 * (1 + sin(n / 288.0 * 2 * pi())) * random() * case when random() > 0.99 then 20 else 1 end)::bigint,
      (1e9 * random())::bigint
    from (select id, account_id from users order by id limit ${STORED_PORTS}) users, generate_series(0, ${SLOTS - 1}::int) n`.execute(
    db,
  )
  await sql`analyze router_slots`.execute(db)
}

async function rankSlots(db: Db): Promise<number> {
  const { rows } = await sql<{
    id: AccountId
  }>`select account_id as id from users order by id limit ${STORED_PORTS}`.execute(db)
  const question = { ...MEASURED, rank: billedRank(SLOTS), direction: 'SUM' as const, threshold: 0 }
  const answers = await busiestSlots(
    db,
    rows.map(({ id }) => ({ ...question, accountId: id })),
  )
  return answers.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function percentileDisc(db: Db): Promise<number> {
  // Half a rank less, so that no rounding of the fraction reaches the next slot.
  const fraction = (billedRank(SLOTS) - 0.5) / SLOTS
  const { rows } = await sql<{ sum: number }>`select sum(bytes)::bigint as sum from (
    select percentile_disc(${fraction}::float8) within group (order by bytes desc) as bytes from (
      select account_id, (sum(rx_bytes) + sum(tx_bytes))::bigint as bytes from router_slots
      where slot >= ${MEASURED.from} and slot < ${MEASURED.to} group by account_id, slot
    ) as traffic group by account_id
  ) as each`.execute(db)
  return rows[0]!.sum
}

/** Returns milliseconds; both methods have to find the same. */
async function timed(what: string, work: () => Promise<number>): Promise<number> {
  const began = performance.now()
  const sum = await work()
  const took = performance.now() - began
  const found = expected.get(what) ?? sum
  expected.set(what, found)
  if (sum !== found) throw new Error(`one way finds ${sum} bytes, the other ${found}`)
  return took
}
const expected = new Map<string, number>()
