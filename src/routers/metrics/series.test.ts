import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, it } from 'vitest'
import type { MachineStats } from '../../drivers/hypervisor/index.ts'
import { manualClock } from '../../kernel/clock.ts'
import { createRoutersTestApp } from '../testing.ts'
import { routerRetention } from './retention.ts'
import { createMeter } from './meter.ts'
import { chooseWindow, trafficSlots } from './series.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const clock = manualClock(new Date(START))
const testApp = await createRoutersTestApp({ clock })
const { db } = testApp
const owner = await testApp.addUser()
const router = await testApp.order(owner.id, { name: 'measured' })

/** Half a CPU busy, 1000 byte/s in, 250 out. */
const statsAt = (seconds: number): MachineStats => ({
  uuid: router.uuid,
  at: new Date(START + seconds * 1000),
  cpuTimeNs: BigInt(seconds) * 500_000_000n,
  memoryUsed: 64 << 20,
  memoryTotal: 192 << 20,
  rxBytes: BigInt(seconds) * 1000n,
  txBytes: BigInt(seconds) * 250n,
})
const meter = createMeter(testApp.hypervisorId)
for (let seconds = 0; seconds <= 900; seconds += 10) await meter.take(db, [statsAt(seconds)])
clock.set(new Date(START + 900_000))
const metrics = (query: string) => owner.call('GET', `/api/virtual_machines/${router.id}/metrics?${query}`)
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString()

describe('the metrics of a router', () => {
  it('are a fraction of its CPUs, bytes, and bit/s on an even grid', async () => {
    const { status, body } = await metrics(`from=${iso(300)}&to=${iso(600)}&step=60`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ step: 60, times: [iso(360), iso(420), iso(480), iso(540), iso(600)] })
    expect(body.cpu).toEqual([0.5, 0.5, 0.5, 0.5, 0.5])
    expect(body.rx).toEqual([8000, 8000, 8000, 8000, 8000])
    expect(body.tx).toEqual([2000, 2000, 2000, 2000, 2000])
    expect(body.memory).toEqual(Array.from({ length: 5 }, () => 64))
  })

  it('are null where nothing was measured, which is not the same as zero', async () => {
    const { body } = await metrics(`from=${iso(-300)}&to=${iso(300)}&step=300`)
    expect(body.rx).toEqual([null, 8000])
  })

  it('say the same whether they come from samples or from slots', async () => {
    const fine = await metrics(`from=${iso(0)}&to=${iso(900)}&step=290`)
    const coarse = await metrics(`from=${iso(0)}&to=${iso(900)}&step=300`)
    expect([fine.body.step, coarse.body.step]).toEqual([290, 300])
    for (const { body } of [fine, coarse]) expect(new Set([...body.rx, ...body.cpu])).toEqual(new Set([8000, 0.5]))
  })

  it('the metrics of a part of five minutes are those of the whole', async () => {
    const { body } = await metrics(`from=${iso(400)}&to=${iso(500)}&step=300`)
    expect(body).toMatchObject({ from: iso(300), times: [iso(500)], rx: [8000] })
  })

  it('take a moment with any offset', async () => {
    const { body } = await metrics(
      `from=${encodeURIComponent(iso(400).replace('Z', '+00:00'))}&to=${iso(500)}&step=300`,
    )
    expect(body).toMatchObject({ from: iso(300) })
  })

  it('the metrics without a time are those of the last hour', async () => {
    const { body } = await metrics('')
    expect(body).toMatchObject({ from: iso(900 - 3600), to: iso(900), step: 10 })
    expect((await owner.call('GET', `/api/virtual_machines/${router.id}`)).body.metrics).toEqual({
      at: iso(900),
      cpu: 0.5,
      memory: 64,
      rx: 8000,
      tx: 2000,
    })
  })

  it.each(['from=yesterday', 'step=0', 'step=1.5', `from=${iso(10)}&to=${iso(10)}`, 'from=1999-01-01T00:00:00Z'])(
    'refuse the question %s with 422',
    async (query) => {
      expect((await metrics(query)).status).toBe(422)
    },
  )

  it('never have more than a thousand points, however small a step is asked for', () => {
    const now = new Date(START)
    for (const days of [0.01, 1, 7, 31, 365]) {
      const { from, to, step } = chooseWindow(
        { from: new Date(START - days * 86_400_000).toISOString(), step: 10 },
        now,
      )
      expect((to.getTime() - from.getTime()) / 1000 / step).toBeLessThanOrEqual(1000)
    }
  })
})

describe('the evidence of traffic', () => {
  it('is exact in bytes for each five minutes, and the same when a reading comes twice', async () => {
    await meter.take(db, [statsAt(900)])
    await meter.take(db, [statsAt(850)])
    const slots = await trafficSlots(db, accountIdOf(owner.id), new Date(START), new Date(START + 900_000))
    expect(
      slots.map(({ slot, rxBytes, txBytes, seconds }) => [slot.getTime() - START, rxBytes, txBytes, seconds]),
    ).toEqual([
      [0, 300_000, 75_000, 300],
      [300_000, 300_000, 75_000, 300],
      [600_000, 300_000, 75_000, 300],
    ])
  })

  it('outlives the router, while samples are dropped after their hours', async () => {
    clock.advance(3 * 3_600_000)
    await routerRetention({ db, clock }).reconcile(1, AbortSignal.timeout(5_000))
    expect(await db.selectFrom('router_samples').selectAll().execute()).toEqual([])
    await db.deleteFrom('routers').where('id', '=', router.id).execute()
    expect(await trafficSlots(db, accountIdOf(owner.id), new Date(START), new Date(START + 900_000))).toHaveLength(3)
  })
})
