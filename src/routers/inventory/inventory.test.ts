import { beforeEach, describe, expect, test } from 'vitest'
import { markConnected } from '../hypervisors/hypervisor-watch.ts'
import { FIRST_HYPERVISOR } from '../../platform/settings.ts'
import { createRoutersTestApp } from '../testing.ts'
import { planDrain } from './drain-plan.ts'

const testApp = await createRoutersTestApp()
const { db } = testApp
const owner = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })
const ask = (method: string, path: string, body?: unknown) => staff.call(method, `/api/admin/${path}`, body)
const auditEvents = async (): Promise<string[]> =>
  (await db.selectFrom('audit_events').select('action').orderBy('id').execute()).map(({ action }) => action)

let count = 0
const order = (site = 'ams1') =>
  owner.call('POST', '/api/virtual_machines', { name: `r-${++count}`, plan: 'lark', image: 'longhaul-appliance', site })

const POOL = {
  prefix4: '198.51.100.0/29',
  gateway4: '198.51.100.1',
  prefix6: '2001:db8:200::/64',
  gateway6: '2001:db8:200::1',
}

beforeEach(() => db.updateTable('routers').set({ desired_state: 'stopped' }).execute())

describe('sites', () => {
  test('are added once under a short name, renamed, and closed for new orders while what is there continues', async () => {
    const added = await ask('POST', 'sites', { slug: 'fra1', name: 'Frankfurt' })
    expect(added).toMatchObject({ status: 201, body: { slug: 'fra1', name: 'Frankfurt', closedAt: null, routers: 0 } })
    expect(await ask('POST', 'sites', { slug: 'fra1', name: 'Again' })).toMatchObject({
      status: 409,
      body: { errors: [{ field: 'slug', message: 'There is already a site "fra1".' }] },
    })
    expect((await ask('POST', 'sites', { slug: 'FRA 1', name: 'Wrong' })).body.errors[0].field).toBe('slug')
    expect((await ask('PATCH', `sites/${added.body.id}`, { name: 'Frankfurt 1' })).body.name).toBe('Frankfurt 1')
    expect((await ask('PATCH', 'sites/77', { name: 'x' })).status).toBe(404)

    const closed = await ask('PATCH', `sites/${testApp.siteId}`, { closed: true })
    expect(closed.body.closedAt).not.toBeNull()
    const refused = await order()
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('new routers') } })
    expect((await owner.call('GET', '/api/catalogue')).body.sites).toContainEqual(
      expect.objectContaining({ slug: 'ams1', available: false }),
    )
    await ask('PATCH', `sites/${testApp.siteId}`, { closed: false })
    expect((await order()).status).toBe(202)
  })

  test('leave a line in the audit log for each change and none for what is as it was', async () => {
    const { body } = await ask('POST', 'sites', { slug: 'lon1', name: 'London' })
    const before = (await auditEvents()).length
    await ask('PATCH', `sites/${body.id}`, { name: 'London', closed: false })
    expect(await auditEvents()).toHaveLength(before)
    await ask('PATCH', `sites/${body.id}`, { closed: true })
    expect((await auditEvents()).at(-1)).toBe('site.changed')
  })
})

describe('address pools', () => {
  test('never overlap, not even when two are added at once', async () => {
    const inside = { ...POOL, prefix4: '203.0.113.128/25', gateway4: '203.0.113.129' }
    expect(await ask('POST', 'address_pools', { site: 'ams1', ...inside })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'prefix4', message: 'overlaps the pool 203.0.113.0/24' }] },
    })
    const both = await Promise.all([
      ask('POST', 'address_pools', { site: 'ams1', ...POOL }),
      ask('POST', 'address_pools', { site: 'ams1', ...POOL, prefix4: '198.51.100.0/28' }),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422])
  })

  test('say what is wrong with each of their addresses', async () => {
    const pool = {
      prefix4: '192.0.2.0/24',
      gateway4: '192.0.2.1',
      prefix6: '2001:db8:7::/64',
      gateway6: '2001:db8:7::1',
    }
    const denial = async (change: Partial<typeof POOL>) =>
      (await ask('POST', 'address_pools', { site: 'ams1', ...pool, ...change })).body.errors
    const length4 = 'must be an IPv4 prefix of length 8 to 30'
    const inside4 = 'must be an address inside 192.0.2.0/24, but not its first or last'
    expect(await denial({ prefix4: '192.0.2.1/24' })).toEqual([
      { field: 'prefix4', message: `${length4}; host bits are set: did you mean 192.0.2.0/24?` },
    ])
    expect(await denial({ prefix4: '192.0.2.0/31' })).toEqual([{ field: 'prefix4', message: length4 }])
    for (const gateway4 of ['192.0.2.0', '192.0.2.255', '198.51.100.1', '2001:db8:7::1', 'x']) {
      expect(await denial({ gateway4 }), gateway4).toEqual([{ field: 'gateway4', message: inside4 }])
    }
    expect(await denial({ gateway6: '2001:db8:7::' })).toEqual([
      { field: 'gateway6', message: 'must be an address inside 2001:db8:7::/64, but not its first' },
    ])
  })

  test('say how full they are and who holds which address, in pages', async () => {
    for (let i = 0; i < 3; i++) await order()
    const { body: pools } = await ask('GET', 'address_pools')
    const pool = pools.find((one: { prefix4: string }) => one.prefix4 === '203.0.113.0/24')
    expect(pool).toMatchObject({ capacity: 253, site: { name: 'Amsterdam 1' } })
    expect(pool.used).toBeGreaterThanOrEqual(3)
    const seen: string[] = []
    for (let after = 0; ;) {
      const { body } = await ask('GET', `address_pools/${pool.id}/addresses?limit=1&after=${after}`)
      seen.push(...body.addresses.map((one: { addresses: { address: string }[] }) => one.addresses[0]!.address))
      if (body.next === null) break
      after = body.next
    }
    expect(seen).toHaveLength(pool.used)
    expect(new Set(seen).size).toBe(pool.used)
    const { body } = await ask('GET', `address_pools/${pool.id}/addresses`)
    expect(body.addresses[0]).toMatchObject({ user: { id: owner.id }, router: { name: expect.any(String) } })
    expect((await ask('GET', 'address_pools/99/addresses')).status).toBe(404)
  })

  test('address pools that are closed give no more addresses, and take the next order to another', async () => {
    const { body: pools } = await ask('GET', 'address_pools')
    const [first] = pools.filter((one: { prefix4: string }) => one.prefix4 === '203.0.113.0/24')
    await ask('PATCH', `address_pools/${first.id}`, { closed: true })
    const { body } = await order()
    expect(body.addresses[0].address).toMatch(/^198\.51\.100\./)
    for (const pool of pools) await ask('PATCH', `address_pools/${pool.id}`, { closed: true })
    expect((await order()).status).toBe(409)
    for (const pool of pools) await ask('PATCH', `address_pools/${pool.id}`, { closed: false })
    expect((await order()).status).toBe(202)
  })
})

describe('images', () => {
  test('say which files stand behind them, and which lie there unoffered', async () => {
    expect((await ask('GET', 'images')).body.images[0].file).toBeNull()
    await markConnected(db, testApp.hypervisorId, testApp.hypervisor, new Date())
    const { body } = await ask('GET', 'images')
    expect(body.images[0]).toMatchObject({ slug: 'longhaul-appliance', isDefault: true, file: { digest: null } })
    expect(body.unoffered).toEqual([])
  })

  test('one is the default, one that is retired cannot be, and the last one cannot be retired', async () => {
    const [{ id: first }] = (await ask('GET', 'images')).body.images
    expect((await ask('PATCH', `images/${first}`, { retired: true })).status).toBe(409)
    const { body: second } = await ask('POST', 'images', { slug: 'other', name: 'Other', description: 'Another one.' })
    expect(second).toMatchObject({ source: 'other', isDefault: false, file: null })
    expect((await ask('PATCH', `images/${second.id}`, { default: true })).body.isDefault).toBe(true)
    const { body: catalogue } = await owner.call('GET', '/api/catalogue')
    expect(catalogue.images[0].slug).toBe('other')
    expect((await ask('PATCH', `images/${second.id}`, { retired: true })).body.isDefault).toBe(false)
    expect((await ask('PATCH', `images/${second.id}`, { default: true })).status).toBe(409)
    expect((await owner.call('GET', '/api/catalogue')).body.images).toHaveLength(1)
  })
})

describe('hypervisors', () => {
  const hypervisor = () => `hypervisors/${testApp.hypervisorId}`

  test('say what is sold of them, and what may still be added', async () => {
    const { body } = await ask('GET', 'hypervisors')
    expect(body.unused).toEqual([])
    expect(body.hypervisors[0]).toMatchObject({ slug: FIRST_HYPERVISOR, leased: true, size: { cpus: 16 } })
    const fresh = { slug: FIRST_HYPERVISOR, site: 'ams1', cpus: 4, memory: 4096, disk: 50 }
    expect((await ask('POST', 'hypervisors', fresh)).status).toBe(409)
    for (const slug of ['none', 'Two', 'x'.repeat(41)]) {
      const wrong = await ask('POST', 'hypervisors', { ...fresh, slug })
      expect(wrong).toMatchObject({ status: 422, body: { errors: [{ field: 'slug' }] } })
    }
  })

  test('are drained with a reason, and the plan names each router that is left and why it stays', async () => {
    const { body: router } = await order()
    const drained = await ask('PATCH', hypervisor(), { drained: true, reason: 'New memory' })
    expect(drained.body).toMatchObject({ drained: true, drainReason: 'New memory' })
    const { body: plan } = await ask('GET', `${hypervisor()}/drain`)
    expect(plan.began).toBe(plan.routers.length)
    expect(plan.routers.find((one: { id: number }) => one.id === router.id)).toMatchObject({
      user: { id: owner.id },
      target: null,
      blocker: 'No other hypervisor at this site.',
    })
    await db.deleteFrom('routers').where('id', '=', router.id).execute()
    expect((await ask('GET', `${hypervisor()}/drain`)).body).toMatchObject({ began: plan.began })
    expect((await ask('PATCH', hypervisor(), { drained: false })).body).toMatchObject({
      drained: false,
      drainReason: null,
    })
    expect((await auditEvents()).slice(-2)).toEqual(['hypervisor.drained', 'hypervisor.reopened'])
  })

  test('are removed once they are drained and have no routers', async () => {
    const size = { cpus: 4, memory: 4096, disk: 50 }
    const { body: host } = await ask('POST', 'hypervisors', { slug: 'ams1-old', site: 'ams1', ...size })
    const remove = () => ask('DELETE', `hypervisors/${host.id}`)
    expect(await remove()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Drain it first') } })
    await ask('PATCH', `hypervisors/${host.id}`, { drained: true })
    const { body: router } = await order()
    const put = (hypervisorId: number) =>
      db.updateTable('routers').set({ hypervisor_id: hypervisorId }).where('id', '=', router.id).execute()
    await put(host.id)
    expect(await remove()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('has routers') } })
    await put(testApp.hypervisorId)
    await db.insertInto('hypervisor_slots').values({ hypervisor_id: host.id, slot: new Date() }).execute()
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await auditEvents()).at(-1)).toBe('hypervisor.removed')
    expect((await ask('POST', 'hypervisors', { slug: 'ams1-old', site: 'ams1', ...size })).status).toBe(201)
    await db.deleteFrom('hypervisors').where('slug', '=', 'ams1-old').execute()
  })

  test('hypervisors of the same site are named where there is room, and each router takes room from the next', async () => {
    const plan = await runTwoAgents()
    expect(plan[0]!.target).toMatchObject({ name: 'Two' })
    expect(plan.slice(1).filter(({ target }) => target !== null)).toEqual([])
    expect(plan[0]!.blocker).toContain('order a new router there')
    expect(plan[1]!.blocker).toContain('No other hypervisor at this site has capacity')
  })

  test('say what is kept for the host and what QEMU takes, and take another reserve', async () => {
    const read = async () =>
      (await ask('GET', 'hypervisors')).body.hypervisors.find((one: { id: number }) => one.id === testApp.hypervisorId)
    const before = await read()
    // 5 percent of 32 GiB.
    expect(before).toMatchObject({ size: { memory: 32_768 }, memoryReserve: 1639, memoryReserveSetting: null })
    const { memory, cpus } = await db
      .selectFrom('routers')
      .select((eb) => [eb.fn.sum<number>('memory').as('memory'), eb.fn.sum<number>('cpus').as('cpus')])
      .where('hypervisor_id', '=', testApp.hypervisorId)
      .executeTakeFirstOrThrow()
    // As the simulated host reported.
    const overhead = before.routers * 96 + cpus * 8 + Math.ceil(memory / 512)
    expect(before).toMatchObject({ memoryOverhead: overhead, sold: { memory: memory + overhead } })
    expect((await ask('PATCH', hypervisor(), { memoryReserve: -1 })).status).toBe(422)
    expect((await ask('PATCH', hypervisor(), { memoryReserve: 4096 })).body).toMatchObject({
      memoryReserve: 4096,
      memoryReserveSetting: 4096,
    })
    // What is sold by now is the whole capacity.
    await ask('PATCH', hypervisor(), { memoryReserve: 32_768 - before.sold.memory })
    expect(await order()).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('capacity for this plan') },
    })
    expect((await ask('PATCH', hypervisor(), { memoryReserve: null })).body).toMatchObject({
      memoryReserve: 1639,
      memoryReserveSetting: null,
    })
    expect((await order()).status).toBe(202)
  })

  test('are resized and renamed', async () => {
    const { body } = await ask('PATCH', hypervisor(), { name: 'Big one', memory: 65_536 })
    expect(body).toMatchObject({ name: 'Big one', size: { memory: 65_536, cpus: 16 } })
    expect((await ask('PATCH', 'hypervisors/77', { name: 'x' })).status).toBe(404)
  })
})

/** A second host with room for one router alone. */
async function runTwoAgents() {
  await db
    .insertInto('hypervisors')
    .values({
      slug: 'two',
      name: 'Two',
      site_id: testApp.siteId,
      driver: 'simulated',
      cpus: 1,
      // One GiB is reserved for the host, and QEMU takes another 224 and 8.
      memory: 1024 + 192 + 224 + 8 + 1,
      disk: 1,
      cpu_overcommit: 4,
    })
    .execute()
  for (let i = 0; i < 2; i++) await order()
  return (await planDrain(db, [FIRST_HYPERVISOR, 'two'], testApp.hypervisorId)).routers
}
