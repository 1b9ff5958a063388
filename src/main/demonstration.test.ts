import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { systemClock, type Clock } from '../kernel/clock.ts'
import { readConfig } from '../platform/config.ts'
import { testDatabase } from '../platform/db/testing.ts'
import { chooseDrivers } from './choose-drivers.ts'
import { seedDemonstration } from './demonstration.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'longhaul-demonstration-'))
const { db } = await testDatabase()
const config = readConfig(
  { COMPUTE: 'simulated', EDGE: 'simulated', DATA_DIR: folder, DEMO_PASSWORD: 'demodemodemo', OPERATOR_ASN: '64500' },
  'test',
)
const drivers = await chooseDrivers(config, 64_500, { testPayments: true })
afterAll(() => rm(folder, { recursive: true }))

const start = (clock: Clock = systemClock) =>
  seedDemonstration({
    config,
    db,
    drivers,
    secretKey: 'a secret key that only the tests know',
    operatorAsn: 64_500,
    publicUrl: () => 'http://127.0.0.1',
    log: pino({ level: 'silent' }),
    clock,
  })

/** Counts the rows of each table. */
async function countRows(): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`.execute(db)
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(db)
    counts[name] = rows[0]!.count
  }
  return counts
}

test('a start that is cut short leaves nothing, the next one begins again, and one more adds nothing', async () => {
  const empty = await countRows()
  let asked = 0
  const dying: Clock = {
    ...systemClock,
    now: () => {
      // Killed in the middle: the accounts are written by then.
      if (++asked > 3) throw new Error('killed')
      return systemClock.now()
    },
  }
  await expect(start(dying)).rejects.toThrow('killed')
  expect(await countRows()).toEqual(empty)

  await start()
  const seeded = await countRows()
  expect(seeded['routers']).toBeGreaterThan(empty['routers']!)
  expect(seeded['transit_prefixes']).toBeGreaterThanOrEqual(30)
  const { rows: hosts } = await sql<{ slots: number; differing: number }>`
    select count(*)::int as slots, count(*) filter (where host.rx_bytes <> carried or readings = 0)::int as differing
    from hypervisor_slots host, lateral (
      select sum(rx_bytes) as carried from router_slots join routers on routers.id = router_id
      where slot = host.slot and hypervisor_id = host.hypervisor_id) routers
    group by host.hypervisor_id`.execute(db)
  expect(hosts).toHaveLength(1)
  for (const { slots, differing } of hosts) expect([slots > 30 * 288, differing]).toEqual([true, 0])
  await start()
  expect(await countRows()).toEqual(seeded)
}, 60_000)
