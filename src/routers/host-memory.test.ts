import { describe, expect, it } from 'vitest'
import { SYSTEM } from '../platform/audit.ts'
import { inTransaction } from '../platform/db/index.ts'
import { memoryReserve, overheadPerMachine } from './host-memory.ts'
import { findRouter } from './queries.ts'
import { createRoutersTestApp } from './testing.ts'
import { resizeRouter } from './router-commands.ts'

/** MiB that a host under TCG reports. */
const PER_MACHINE = 224
const MEMORY = 6000
const testApp = await createRoutersTestApp({ seed: { memory: MEMORY, cpus: 64 } })
const { db } = testApp
const facts = JSON.stringify({ memoryOverhead: PER_MACHINE })
await db.updateTable('hypervisors').set({ facts }).execute()

/**
 * Returns what QEMU and the guests of all routers may take, computed here from the same figures without the product's
 * code.
 */
async function taken(): Promise<number> {
  const rows = await db.selectFrom('routers').select(['cpus', 'memory']).execute()
  return rows.reduce((sum, { cpus, memory }) => sum + memory + memory / 512 + PER_MACHINE + 8 * cpus, 0)
}

describe('the memory of a host', () => {
  it('is kept for the host by the larger of 1024 MiB and 5 percent, or as staff say', () => {
    expect(memoryReserve(8192, null)).toBe(1024)
    expect(memoryReserve(131_072, null)).toBe(6554)
    expect(memoryReserve(131_072, 0)).toBe(0)
    expect(memoryReserve(512, null)).toBe(512)
  })

  it('counts a host that has not told as one under TCG: too little sold is the better failure', () => {
    expect(overheadPerMachine({})).toBe(224)
    expect(overheadPerMachine({ memoryOverhead: 96 })).toBe(96)
  })

  it('is never sold beyond the reserve, whatever is ordered and resized at once', { timeout: 60_000 }, async () => {
    const owner = await testApp.addUser()
    const order = (name: string) => testApp.order(owner.id, { name })
    const first = await Promise.all([1, 2, 3, 4, 5].map((n) => order(`first-${n}`)))
    await db
      .updateTable('routers')
      .set({ desired_state: 'stopped', observed: 'off', reachable_at: new Date() })
      .execute()
    const resize = async (id: number, plan: string) =>
      inTransaction(db, async (on) => resizeRouter(on, SYSTEM, (await findRouter(on, id))!, plan, new Date()))

    const outcomes = await Promise.allSettled([
      ...first.map(({ id }) => resize(id, 'tern')),
      ...Array.from({ length: 12 }, (_, n) => order(`second-${n}`)),
    ])
    expect(await taken()).toBeLessThanOrEqual(MEMORY - 1024)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused)
      expect(reason).toMatchObject({ status: 409, detail: expect.stringMatching(/capacity/) })
    // And nothing that would fit is rejected.
    expect(await taken()).toBeGreaterThan(MEMORY - 1024 - (1024 + 2 + PER_MACHINE + 16))
  })

  it('refuses a larger plan that the reserve and QEMU leave no room for', async () => {
    await db.deleteFrom('address_leases').execute()
    await db.deleteFrom('routers').execute()
    const owner = await testApp.addUser()
    const { id } = await testApp.order(owner.id, { name: 'grows' })
    await db
      .updateTable('routers')
      .set({ desired_state: 'stopped', observed: 'off', reachable_at: new Date() })
      .execute()
    const url = `/api/virtual_machines/${id}`
    // 4096 for the guest, 8 of page tables, 224 for QEMU and 8 for each of four CPUs.
    await db
      .updateTable('hypervisors')
      .set({ memory: 1024 + 4096 + 8 + 224 + 32 - 1 })
      .execute()
    expect(await owner.call('PATCH', url, { plan: 'albatross' })).toMatchObject({
      status: 409,
      body: { detail: 'This router’s host has no capacity for this plan.' },
    })
    await db
      .updateTable('hypervisors')
      .set({ memory: 1024 + 4096 + 8 + 224 + 32 })
      .execute()
    expect((await owner.call('PATCH', url, { plan: 'albatross' })).status).toBe(200)
  })
})
