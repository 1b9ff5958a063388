import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { MachineStats } from '../../drivers/hypervisor/index.ts'
import { manualClock } from '../../kernel/clock.ts'
import { hypervisorInfoReconciler } from '../hypervisors/facts.ts'
import { createRoutersTestApp } from '../testing.ts'
import { createMeter } from './meter.ts'
import { routerRetention } from './retention.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const clock = manualClock(new Date(START))
const testApp = await createRoutersTestApp({ clock })
const { db, deps, hypervisorId } = testApp
const owner = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })
const [one, two] = [await testApp.order(owner.id, { name: 'one' }), await testApp.order(owner.id, { name: 'two' })]

const at = (seconds: number) => new Date(START + seconds * 1000)
const iso = (seconds: number) => at(seconds).toISOString()
const url = (query = '', id: number = hypervisorId) => `/api/admin/hypervisors/${id}/metrics?${query}`
const read = async (query = '') => (await staff.call('GET', url(query))).body
const stats = (uuid: string, seconds: number, bytes: number): MachineStats => ({
  uuid,
  at: at(seconds),
  cpuTimeNs: 0n,
  memoryUsed: null,
  memoryTotal: null,
  rxBytes: BigInt(bytes),
  txBytes: BigInt(bytes * 2),
})
/** A host that says what load it is under, and one process that drives it. */
function drive(load: { cpu: number; memory: number }) {
  const facts = async () => ({ ...(await testApp.hypervisor.facts()), cpuUsage: load.cpu, memoryUsage: load.memory })
  const hypervisors = new Map([...deps.hypervisors.keys()].map((slug) => [slug, { ...testApp.hypervisor, facts }]))
  const watched = new Map([[hypervisorId, clock.now()]])
  return hypervisorInfoReconciler({ db, clock, hypervisors, watched })
}
const signal = AbortSignal.timeout(600_000)

beforeEach(async () => {
  await sql`truncate hypervisor_slots, router_slots, router_counters, router_samples`.execute(db)
  await db.updateTable('hypervisors').set({ connected: true }).execute()
  clock.set(at(0))
})

describe('the load of a hypervisor', () => {
  it('is the average of the readings of all processes that drove it in a slot', async () => {
    const [first, second] = [drive({ cpu: 0.2, memory: 0.5 }), drive({ cpu: 0.5, memory: 0.8 })]
    for (const [seconds, process] of [
      [0, first],
      [60, first],
      [120, second],
      [299, second],
      [300, first],
    ] as const) {
      clock.set(at(seconds))
      await process.reconcile(hypervisorId, signal)
    }
    clock.set(at(330))
    const { cpu, memory, rx } = await read(`from=${iso(0)}&to=${iso(600)}`)
    expect(cpu.map((value: number) => value.toFixed(4))).toEqual(['0.3500', '0.2000'])
    expect(memory.map((value: number) => value.toFixed(4))).toEqual(['0.6500', '0.5000'])
    expect(rx).toEqual([null, null])
  })

  it('adds up when two processes write at the same moment', async () => {
    const processes = Array.from({ length: 8 }, () => drive({ cpu: 0.25, memory: 0.5 }))
    await Promise.all(processes.map((process) => process.reconcile(hypervisorId, signal)))
    expect(await db.selectFrom('hypervisor_slots').selectAll().execute()).toMatchObject([
      { slot: at(0), readings: 8, cpu_usage: 2, memory_usage: 4, seconds: 0, rx_bytes: 0 },
    ])
  })

  it('gets no reading from a host that does not answer, and none before its connection is back', async () => {
    const silent = drive({ cpu: 0.2, memory: 0.5 })
    await db.updateTable('hypervisors').set({ connected: false }).execute()
    await silent.reconcile(hypervisorId, signal)
    expect((await read()).cpu.every((value: number | null) => value === null)).toBe(true)
  })

  it('is null where nothing was measured, before, between and after', async () => {
    for (const seconds of [300, 900]) {
      clock.set(at(seconds))
      await drive({ cpu: 0, memory: 0.25 }).reconcile(hypervisorId, signal)
    }
    const body = await read(`from=${iso(0)}&to=${iso(1500)}&step=300`)
    expect(body).toMatchObject({ step: 300, cpu: [null, 0, null, 0, null], memory: [null, 0.25, null, 0.25, null] })
    expect(body.times).toEqual([300, 600, 900, 1200, 1500].map(iso))
  })
})

describe('the traffic of a hypervisor', () => {
  it('is the sum of its routers, over the time that was measured', async () => {
    const meter = createMeter(hypervisorId)
    for (let seconds = 0; seconds <= 450; seconds += 10)
      await meter.take(db, [stats(one.uuid, seconds, seconds * 1000), stats(two.uuid, seconds, seconds * 500)])
    await meter.take(db, [])
    clock.set(at(3600))
    const { rx, tx } = await read(`from=${iso(0)}&to=${iso(900)}&step=300`)
    // The second slot was measured for half of its time.
    expect([rx, tx]).toEqual([
      [12_000, 12_000, null],
      [24_000, 24_000, null],
    ])
    expect((await read(`from=${iso(0)}&to=${iso(900)}&step=900`)).rx).toEqual([12_000])
  })

  it('counts each byte once when a second process takes over, and one is killed after its write', async () => {
    const [first, second] = [createMeter(hypervisorId), createMeter(hypervisorId)]
    await first.take(db, [stats(one.uuid, 0, 0)])
    await second.take(db, [stats(one.uuid, 0, 0)])
    await Promise.all([first, second].map((meter) => meter.take(db, [stats(one.uuid, 60, 6_000)])))
    await createMeter(hypervisorId).take(db, [stats(one.uuid, 120, 9_000)])
    await first.take(db, [stats(one.uuid, 180, 12_000)])
    await createMeter(hypervisorId).take(db, [stats(one.uuid, 240, 15_000)])
    expect(await db.selectFrom('hypervisor_slots').select(['seconds', 'rx_bytes', 'tx_bytes']).execute()).toEqual([
      { seconds: 240, rx_bytes: 15_000, tx_bytes: 30_000 },
    ])
  })

  it('leaves out a slot until each of its routers is saved', async () => {
    const meter = createMeter(hypervisorId)
    for (let seconds = 0; seconds <= 300; seconds += 10)
      await meter.take(db, [stats(one.uuid, seconds, seconds * 1000)])
    const rxAt = async (seconds: number) => {
      clock.set(at(seconds))
      return (await read(`from=${iso(0)}&to=${iso(300)}`)).rx
    }
    expect(await rxAt(310)).toEqual([null])
    expect(await rxAt(390)).toEqual([8_000])
  })
})

describe('the history of a hypervisor', () => {
  it('is kept for as long as that of routers', async () => {
    await drive({ cpu: 0.2, memory: 0.5 }).reconcile(hypervisorId, signal)
    const slots = () => db.selectFrom('hypervisor_slots').selectAll().execute()
    const retention = routerRetention({ db, clock })
    clock.set(at(400 * 86_400))
    await retention.reconcile(1, signal)
    expect(await slots()).toHaveLength(1)
    clock.advance(1_000)
    await retention.reconcile(1, signal)
    expect(await slots()).toEqual([])
  })

  it('is for staff alone, and of a hypervisor that exists', async () => {
    expect((await owner.call('GET', url())).status).toBe(403)
    expect((await testApp.app.inject({ method: 'GET', url: url() })).statusCode).toBe(401)
    expect((await staff.call('GET', url('', 77_777))).status).toBe(404)
    expect((await staff.call('GET', url())).body).toMatchObject({ from: iso(-3600), to: iso(0), step: 300 })
  })

  it.each(['from=yesterday', 'step=0', 'step=1.5', `from=${iso(10)}&to=${iso(10)}`, 'from=1999-01-01T00:00:00Z'])(
    'refuses the question %s as that of a router does',
    async (query) => {
      const ofRouter = await owner.call('GET', `/api/virtual_machines/${one.id}/metrics?${query}`)
      const ofHost = await staff.call('GET', url(query))
      expect(ofHost.status).toBe(422)
      expect(ofHost.body.errors).toEqual(ofRouter.body.errors)
    },
  )
})
