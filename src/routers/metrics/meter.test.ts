import { accountIdOf } from '../../platform/db/testing.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { MachineStats } from '../../drivers/hypervisor/index.ts'
import { inTransaction } from '../../platform/db/index.ts'
import { createRoutersTestApp } from '../testing.ts'
import { createMeter } from './meter.ts'
import { trafficSlots } from './series.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const testApp = await createRoutersTestApp()
const { db } = testApp
const owner = await testApp.addUser()
const router = await testApp.order(owner.id, { name: 'metered' })

beforeEach(async () => {
  await sql`truncate router_slots, hypervisor_slots, router_counters, router_samples`.execute(db)
})

const stats = (seconds: number, rx: number): MachineStats => ({
  uuid: router.uuid,
  at: new Date(START + seconds * 1000),
  cpuTimeNs: BigInt(rx),
  memoryUsed: null,
  memoryTotal: null,
  rxBytes: BigInt(rx),
  txBytes: BigInt(rx * 2),
})
const slots = () =>
  trafficSlots(db, accountIdOf(owner.id), new Date(START - 30 * 86_400_000), new Date(START + 20 * 365 * 86_400_000))
/** Bytes that its router received, by the slots of the router and of its hypervisor, which are always equal. */
async function metered(): Promise<number> {
  const { rows } = await sql<{ slot: Date; seconds: number; rx: number; tx: number }>`
    select slot, seconds, rx_bytes::float8 as rx, tx_bytes::float8 as tx from hypervisor_slots order by slot`.execute(
    db,
  )
  const ofRouter = await slots()
  expect(rows).toEqual(ofRouter.map(({ slot, seconds, rxBytes: rx, txBytes: tx }) => ({ slot, seconds, rx, tx })))
  return ofRouter.reduce((sum, slot) => sum + slot.rxBytes, 0)
}

const STEP = fc.record({
  seconds: fc.oneof(fc.constant(10), fc.integer({ min: 0, max: 400 })),
  bytes: fc.nat(1_000_000),
  /** What goes wrong with this reading. */
  fault: fc.constantFrom('none', 'none', 'none', 'killed', 'rolled back', 'another leads', 'away'),
})

describe('what is metered', { timeout: 120_000 }, () => {
  it('is every byte once, whichever process is killed, rolled back or takes over in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 25 }), async (steps) => {
        await sql`truncate router_slots, hypervisor_slots, router_counters, router_samples`.execute(db)
        let [meter, other] = [createMeter(testApp.hypervisorId), createMeter(testApp.hypervisorId)]
        let [seconds, bytes] = [0, 0]
        await meter.take(db, [stats(seconds, bytes)])
        for (const step of steps) {
          seconds += step.seconds
          bytes += step.seconds === 0 ? 0 : step.bytes
          const reading = [stats(seconds, bytes)]
          if (step.fault === 'killed') meter = createMeter(testApp.hypervisorId)
          if (step.fault === 'another leads') [meter, other] = [other, meter]
          // The machine is missing from one answer of its hypervisor.
          if (step.fault === 'away') await meter.take(db, [])
          else if (step.fault === 'rolled back') {
            // Its meter believes that a rolled back write was committed.
            const lost = inTransaction(db, async (transaction) => {
              await meter.take(transaction, reading)
              throw new Error('the connection broke at the commit')
            })
            await expect(lost).rejects.toThrow('broke')
          } else await meter.take(db, reading)
          expect(await metered()).toBeLessThanOrEqual(bytes)
        }
        for (const last of [meter, other, createMeter(testApp.hypervisorId)])
          await last.take(db, [stats((seconds += 60), bytes)])
        expect(await metered()).toBe(bytes)
      }),
      { numRuns: 60 },
    )
  })

  it('is never more than was carried, also when machines restart and the clock is set', async () => {
    const odd = fc.record({
      seconds: fc.integer({ min: -40_000, max: 40_000 }),
      bytes: fc.nat(1_000_000),
      restarts: fc.boolean(),
      killed: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 20 }), async (steps) => {
        await sql`truncate router_slots, hypervisor_slots, router_counters, router_samples`.execute(db)
        let meter = createMeter(testApp.hypervisorId)
        let [seconds, counter, carried] = [0, 0, 0]
        await meter.take(db, [stats(0, 0)])
        for (const step of steps) {
          seconds += step.seconds
          if (step.restarts) counter = 0
          counter += step.bytes
          carried += step.bytes
          if (step.killed) meter = createMeter(testApp.hypervisorId)
          await meter.take(db, [stats(seconds, counter)])
        }
        await meter.take(db, [])
        expect(await metered()).toBeLessThanOrEqual(carried)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a hypervisor', () => {
  it('is believed of no router that is on another', async () => {
    const elsewhere = createMeter(testApp.hypervisorId + 1)
    await elsewhere.take(db, [stats(0, 0)])
    await elsewhere.take(db, [stats(60, 600)])
    await elsewhere.take(db, [])
    expect(await metered()).toBe(0)
    const before = createMeter(testApp.hypervisorId)
    await before.take(db, [stats(0, 0)])
    await before.take(db, [stats(60, 600)])
    await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
      select 'ams1-hv8', 'Eight', site_id, driver, cpus, memory, disk from hypervisors limit 1`.execute(db)
    const move = (to: string) =>
      sql`update routers set hypervisor_id = (select id from hypervisors where slug = ${to}) where id = ${router.id}`
    await move('ams1-hv8').execute(db)
    await before.take(db, [stats(120, 9_000)])
    await before.take(db, [])
    expect(await metered()).toBe(600)
    await move('ams1-hv1').execute(db)
  })
})

describe('a clock', () => {
  it('a clock that is set back a little is waited for, and what passed meanwhile counts', async () => {
    const meter = createMeter(testApp.hypervisorId)
    for (const [seconds, bytes] of [
      [0, 0],
      [60, 600],
      [-3_000, 700],
      [-2_940, 1_300],
      [120, 31_800],
    ] as const)
      await meter.take(db, [stats(seconds, bytes)])
    expect(await metered()).toBe(31_800)
  })

  it('a clock that was years ahead is not waited for: metering begins again, and charges nothing for the time between', async () => {
    const year = 365 * 86_400
    let meter = createMeter(testApp.hypervisorId)
    await meter.take(db, [stats(0, 0)])
    await meter.take(db, [stats(60, 600)])
    await meter.take(db, [stats(10 * year, 700)])
    meter = createMeter(testApp.hypervisorId)
    await meter.take(db, [stats(120, 1_300)])
    await meter.take(db, [stats(180, 1_900)])
    expect(await metered()).toBe(600 + 600)
    expect((await slots()).every((slot) => slot.slot.getTime() < START + 300_000)).toBe(true)
  })
})

describe('a gap', () => {
  it('a gap of up to six hours is spread evenly over its slots', async () => {
    const meter = createMeter(testApp.hypervisorId)
    await meter.take(db, [stats(0, 0)])
    await meter.take(db, [stats(6 * 3_600, 72_000)])
    const found = await slots()
    expect(found).toHaveLength(72)
    expect(new Set(found.map((slot) => slot.rxBytes))).toEqual(new Set([1_000]))
  })

  it('a gap of more than six hours is not charged, and what follows it is', async () => {
    const meter = createMeter(testApp.hypervisorId)
    await meter.take(db, [stats(0, 0)])
    await meter.take(db, [stats(6 * 3_600 + 10, 72_000)])
    await meter.take(db, [stats(6 * 3_600 + 70, 72_600)])
    expect(await metered()).toBe(600)
  })
})

describe('a counter that wrapped', () => {
  it('counts as one that began again, which is less and never more', async () => {
    const meter = createMeter(testApp.hypervisorId)
    const most = 2n ** 64n
    const at = (seconds: number, rx: bigint): MachineStats => ({ ...stats(seconds, 0), rxBytes: rx, txBytes: 0n })
    await meter.take(db, [at(0, most - 5_000n)])
    await meter.take(db, [at(60, 700n)])
    expect(await metered()).toBe(700)
  })
})

describe('a router', () => {
  it('a router whose machine stops keeps what it carried since it was last written down', async () => {
    const meter = createMeter(testApp.hypervisorId)
    await meter.take(db, [stats(0, 0)])
    await meter.take(db, [stats(10, 500)])
    expect(await metered()).toBe(0)
    await meter.take(db, [])
    expect(await metered()).toBe(500)
  })
})
