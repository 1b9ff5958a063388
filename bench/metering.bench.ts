/**
 * Measures the core time that metering ten thousand routers takes per minute: six readings of each, a hundred machines
 * per hypervisor, from the counters to the billed slots. It counts processor time of this process and of PostgreSQL; a
 * core has 60 000 ms of it in a minute. The peer is PostgreSQL alone: the rows that were written, loaded by COPY into
 * tables of the same columns without constraints or indexes.
 */
import { sql } from 'kysely'
import type { MachineStats } from '../src/drivers/hypervisor/index.ts'
import { openDatabase, type Db } from '../src/platform/db/index.ts'
import { createMeter } from '../src/routers/metrics/meter.ts'
import type { Bench } from './bench.ts'
import { counted, describeServer } from './cpu-time.ts'
import { onOwnDatabase } from './own-database.ts'

const ROUTERS = 10_000
const HYPERVISORS = 100
const READINGS = 6
const EVERY_MS = 10_000
const START = Date.UTC(2026, 2, 2)
/** Bytes that a router receives between two readings; it sends half of that. */
const BYTES = 12_345_678n
/** Five per cent of a core. */
const MOST_MS = 3_000

export default {
  open: () =>
    onOwnDatabase(async ({ db, adminUrl }) => {
      const fleet = (await addRouters(db)).map(({ hypervisor, uuids }) => ({ uuids, meter: createMeter(hypervisor) }))
      const { name, postmaster } = await describeServer(db)
      let readings = 0
      const read = async (): Promise<void> => {
        for (const { meter, uuids } of fleet) await meter.take(db, readMachines(uuids, readings))
        readings++
      }
      await read()
      // Only its superuser may access files of the server.
      const admin = openDatabase({ url: adminUrl.replace('/postgres?', `/${name}?`), statementTimeoutMs: 0 })
      return {
        comparisons: [
          {
            name: `${ROUTERS} routers metered for a minute, processor time`,
            unit: 'ms' as const,
            ours: async () => {
              const spent = await counted(postmaster, async () => {
                for (let round = 0; round < READINGS; round++) await read()
              })
              await proveBytes(db, readings - 1)
              return spent
            },
            peer: {
              name: 'the same rows by COPY',
              measure: async () => {
                const files = await saveRows(admin.db, readings)
                return counted(postmaster, () => copyRows(admin.db, files))
              },
            },
            bound: { most: MOST_MS },
          },
        ],
        close: admin.close,
      }
    }),
} satisfies Bench

/** Returns the UUIDs of their machines, by hypervisor. */
async function addRouters(db: Db): Promise<{ hypervisor: number; uuids: string[] }[]> {
  await sql`insert into users (email, first_name, last_name, password_hash)
    select 'bench' || n || '@example.net', 'Bench', 'Customer', 'none' from generate_series(1, 1000) n`.execute(db)
  await sql`insert into sites (slug, name) values ('ams1', 'Amsterdam')`.execute(db)
  await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
    select 'hv' || n, 'hv' || n, (select id from sites), 'simulated', 64, 262144, 4000
    from generate_series(1, ${HYPERVISORS}::int) n`.execute(db)
  await sql`insert into plans (slug, name, cpus, memory, disk_size, hourly_price, monthly_price, currency)
    values ('swift', 'Swift', 1, 512, 4, 2, 990, 'EUR')`.execute(db)
  await sql`insert into images (slug, name, description, source) values ('image', 'Image', '', 'none')`.execute(db)
  await sql`insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size)
    select (select min(account_id) from users) + n % 1000, 'router' || n, (select id from sites),
      (select min(id) from hypervisors) + n % ${HYPERVISORS}::int, (select id from plans), (select id from images), 1, 512, 4
    from generate_series(1, ${ROUTERS}::int) n`.execute(db)
  await sql`analyze`.execute(db)
  const rows = await db.selectFrom('routers').select(['uuid', 'hypervisor_id']).execute()
  return [...Map.groupBy(rows, (row) => row.hypervisor_id)].map(([hypervisor, own]) => ({
    hypervisor,
    uuids: own.map((row) => row.uuid),
  }))
}

const readMachines = (uuids: readonly string[], reading: number): MachineStats[] =>
  uuids.map((uuid) => ({
    uuid,
    at: new Date(START + reading * EVERY_MS),
    cpuTimeNs: BigInt(reading) * 1_000_000_000n,
    memoryUsed: 123_456_789,
    memoryTotal: 536_870_912,
    rxBytes: BigInt(reading) * BYTES,
    txBytes: BigInt(reading) * BYTES * 2n,
  }))

async function proveBytes(db: Db, intervals: number): Promise<void> {
  const { rows } = await sql<{ rx: string; tx: string }>`
    select sum(rx_bytes)::text as rx, sum(tx_bytes)::text as tx from router_slots`.execute(db)
  const expected = BYTES * BigInt(intervals * ROUTERS)
  const { rx, tx } = rows[0]!
  if (BigInt(rx) !== expected || BigInt(tx) !== expected * 2n) throw new Error(`${rx} and ${tx} bytes were metered`)
}

/** Saves what the last minute wrote as files of the server, by table. */
async function saveRows(admin: Db, reading: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ folder: string }>`select current_setting('data_directory') as folder`.execute(admin)
  const since = sql.lit(new Date(START + (reading - 1 - READINGS) * EVERY_MS).toISOString())
  const written = {
    router_counters: sql`select * from router_counters`,
    router_samples: sql`select * from router_samples where at > ${since}`,
    router_slots: sql`select * from router_slots where slot = (select max(slot) from router_slots)`,
  }
  const files = new Map<string, string>()
  for (const [table, query] of Object.entries(written)) {
    const file = `${rows[0]!.folder}/copied_${table}`
    await sql`copy (${query}) to ${sql.lit(file)}`.execute(admin)
    await sql`create table if not exists ${sql.table(`copied_${table}`)} (like ${sql.table(table)})`.execute(admin)
    await sql`truncate ${sql.table(`copied_${table}`)}`.execute(admin)
    files.set(table, file)
  }
  return files
}

async function copyRows(admin: Db, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [table, file] of files) {
    await sql`copy ${sql.table(`copied_${table}`)} from ${sql.lit(file)}`.execute(admin)
  }
}
