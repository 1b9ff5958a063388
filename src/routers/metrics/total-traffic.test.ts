import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { watchPlans } from '../../admin/testing-plans.ts'
import { manualClock } from '../../kernel/clock.ts'
import { accountIdOf, testDatabase } from '../../platform/db/testing.ts'
import { createRoutersTestApp } from '../testing.ts'
import { readTotalTraffic } from './total-traffic.ts'

const NOW = '2026-03-02T09:07:00Z'
const testApp = await createRoutersTestApp({ clock: manualClock(new Date(NOW)) })
const { db } = testApp
const owner = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })

const addSlot = (routerId: number, slot: string, rx: number, tx: number, seconds = 300) =>
  db
    .insertInto('router_slots')
    .values({
      router_id: routerId,
      account_id: accountIdOf(owner.id),
      slot: new Date(slot),
      seconds,
      cpu_seconds: null,
      memory: null,
      rx_bytes: rx,
      tx_bytes: tx,
    })
    .execute()

describe('the traffic of all routers', () => {
  it('is their sum in each five minutes of the last 24 hours that are over', async () => {
    // The first five minutes, one before, the last, and the current ones.
    await addSlot(1, '2026-03-01T09:00:00Z', 1, 1)
    await addSlot(1, '2026-03-01T09:05:00Z', 3000, 300)
    await addSlot(1, '2026-03-02T09:00:00Z', 30_000, 600)
    // From a router that was deleted in the middle of it.
    await addSlot(2, '2026-03-02T09:00:00Z', 3750, 450, 150)
    await addSlot(1, '2026-03-02T09:05:00Z', 1, 1)
    const { status, body } = await staff.call('GET', '/api/admin/traffic')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      from: '2026-03-01T09:05:00.000Z',
      to: '2026-03-02T09:05:00.000Z',
      rxBytes: 36_750,
      txBytes: 1350,
    })
    expect(body.times).toHaveLength(288)
    expect([body.times[0], body.times.at(-1)]).toEqual(['2026-03-01T09:10:00.000Z', '2026-03-02T09:05:00.000Z'])
    expect([body.rx[0], body.tx[0]]).toEqual([80, 8])
    expect([body.rx.at(-1), body.tx.at(-1)]).toEqual([1000, 40])
    expect(body.rx.slice(1, -1)).toEqual(Array.from({ length: 286 }, () => null))
  })

  it('is for staff alone', async () => {
    expect((await owner.call('GET', '/api/admin/traffic')).status).toBe(403)
  })
})

it('reads the slots of one day by their time, and not a year of them', async () => {
  const { db: full, pool } = await testDatabase({ statementTimeoutMs: 0 })
  await sql`insert into router_slots (router_id, account_id, slot, seconds, rx_bytes, tx_bytes)
    select router, router, slot, 300, 10, 10 from generate_series(${NOW}::timestamptz - interval '20 days', ${NOW}, interval '5 minutes') slot,
      generate_series(1, 50) router`.execute(full)
  await sql`vacuum analyze router_slots`.execute(full)
  const { watched, plansOf } = watchPlans(pool)
  const plan = await plansOf(() => readTotalTraffic(watched, new Date(NOW)))
  // By the BRIN index, or skipping from user to user: it depends on how many there are.
  expect(plan).toMatch(/Index Cond: \(\(slot >= .* AND \(slot < /)
  expect(plan).not.toMatch(/Seq Scan/)
}, 60_000)
