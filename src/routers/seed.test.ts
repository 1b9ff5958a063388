import { accountIdOf } from '../platform/db/testing.ts'
import { expect, test } from 'vitest'
import { busiestSlots } from './metrics/busiest.ts'
import { seedHistoricTraffic } from './seed.ts'
import { createRoutersTestApp } from './testing.ts'

const DAY_MS = 86_400_000
const testApp = await createRoutersTestApp()
const { db } = testApp
const bps = (bytes: number): number => (bytes * 8) / 300

test('traffic of the demonstration is above the commit for more than a twentieth of a month, and stops for an outage', async () => {
  const { id: userId } = await testApp.addUser()
  const from = new Date('2026-03-02T00:00:00Z')
  const to = new Date(+from + 30 * DAY_MS)
  const outage = { from: new Date('2026-03-20T18:00:00Z'), hours: 2 }
  await seedHistoricTraffic(db, {
    accountId: accountIdOf(userId),
    routerId: -900,
    from,
    to,
    peakBps: 14_000_000,
    idleBps: 1_000_000,
    outage,
  })

  const slots = (30 * DAY_MS) / 300_000
  const question = { accountId: accountIdOf(userId), direction: 'MAX' as const, threshold: (10_000_000 * 300) / 8 }
  const [month, night, out] = await busiestSlots(db, [
    { ...question, from, to, rank: slots / 20 },
    { ...question, from: new Date('2026-03-04T06:00:00Z'), to: new Date('2026-03-04T08:00:00Z'), rank: 0 },
    { ...question, from: new Date(+outage.from + 300_000), to: new Date('2026-03-20T19:55:00Z'), rank: 0 },
  ])
  expect(bps(month!.bytes)).toBeGreaterThan(12_000_000)
  expect(bps(month!.bytes)).toBeLessThan(16_000_000)
  expect(month!.above).toBeGreaterThan(slots / 20)
  expect(month!.measured).toBeGreaterThan(slots - 30)
  expect(bps(night!.bytes)).toBeLessThan(5_000_000)
  expect(night!.measured).toBeGreaterThan(0)
  expect(out!.measured).toBe(0)

  const { rx_bytes: last } = await db
    .selectFrom('router_samples')
    .select('rx_bytes')
    .where('router_id', '=', -900)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  // Where the machine itself is measured, its traffic continues without a step.
  expect((last * 8) / 10).toBeCloseTo(1_000_000, -3)
})
