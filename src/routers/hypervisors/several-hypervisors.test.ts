import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SYSTEM } from '../../platform/audit.ts'
import { pretendSilent } from '../../platform/leases/testing.ts'
import { setHypervisor } from '../inventory/hypervisor-settings.ts'
import { createRoutersTestApp } from '../testing.ts'
import { acquireHypervisorLease } from './leases.ts'
import { staleHypervisorAgentReconciler } from './stale-agent-job.ts'
import { reassignHypervisor } from '../inventory/reassign-hypervisor.ts'
import { newHypervisor, startHypervisorAgent, type HypervisorAgentProcess, type HypervisorSpec } from './testing.ts'

// The web process: it has no driver at all.
const testApp = await createRoutersTestApp({ agent: 'none' })
const { db } = testApp
const owner = await testApp.addUser()
const staff = await testApp.addUser({ isAdmin: true })
const FIRST = 'ams1-hv1'
const SECOND = 'ams1-hv2'
const ANOTHER = JSON.stringify([
  { name: 'another', digest: null, bytes: null, location: null, version: null, builtAt: null },
])
const places: Record<string, HypervisorSpec> = { [FIRST]: newHypervisor(), [SECOND]: newHypervisor() }
const running = new Map<string, HypervisorAgentProcess>()

async function start(slug: string): Promise<HypervisorAgentProcess> {
  const host = await startHypervisorAgent(testApp, slug, places[slug]!)
  running.set(slug, host)
  await vi.waitUntil(() => host.term() !== null, { timeout: 20_000 })
  await vi.waitUntil(async () => (await inventory(slug)).connected, { timeout: 20_000 })
  return host
}
/** As after a power cut: nothing is sent, and then nothing is received. */
async function lose(slug: string): Promise<void> {
  await running.get(slug)!.end()
  running.delete(slug)
  await pretendSilent(db, `hypervisor ${slug}`)
  const staleAgents = staleHypervisorAgentReconciler({ db })
  for (const id of await staleAgents.due()) await staleAgents.reconcile(id, new AbortController().signal)
}

const inventory = async (slug: string) => {
  const { body } = await staff.call('GET', '/api/admin/hypervisors')
  return body.hypervisors.find((one: { slug: string }) => one.slug === slug)
}
let orders = 0
const order = () =>
  owner.call('POST', '/api/virtual_machines', {
    name: `r-${++orders}`,
    site: 'ams1',
    plan: 'lark',
    image: 'longhaul-appliance',
  })
const read = async (id: number) => (await owner.call('GET', `/api/virtual_machines/${id}`)).body
const act = (id: number, action: string) => owner.call('POST', `/api/virtual_machines/${id}/actions`, { action })
const become = (id: number, state: string) =>
  vi.waitUntil(async () => (await read(id)).state === state, { timeout: 20_000 })
const on = async (slug: string) => {
  const rows = await db
    .selectFrom('routers')
    .innerJoin('hypervisors', 'hypervisors.id', 'hypervisor_id')
    .select(['routers.id', 'uuid'])
    .where('slug', '=', slug)
    .orderBy('routers.id')
    .execute()
  return { ids: rows.map(({ id }) => id), uuids: rows.map(({ uuid }) => uuid).toSorted() }
}

afterAll(async () => {
  for (const host of running.values()) await host.end()
})

describe('two hosts, a process on each', () => {
  beforeAll(async () => {
    await db
      .transaction()
      .execute((transaction) =>
        setHypervisor(transaction, SYSTEM, { slug: SECOND, site: 'ams1', cpus: 16, memory: 32_768, disk: 500 }),
      )
  })

  it('sell nothing before one of them lives', async () => {
    expect(await order()).toMatchObject({ status: 409, body: { detail: expect.stringContaining('in service') } })
    const { body } = await owner.call('GET', '/api/catalogue')
    expect(body.sites).toContainEqual(expect.objectContaining({ slug: 'ams1', available: false }))
    expect(await inventory(SECOND)).toMatchObject({ leased: false, process: null })
  })

  it('share the routers, and each makes its own alone', async () => {
    const hosts = await Promise.all([start(FIRST), start(SECOND)])
    for (let i = 0; i < 6; i++) expect((await order()).status).toBe(202)
    const [first, second] = [await on(FIRST), await on(SECOND)]
    expect([first.ids.length, second.ids.length]).toEqual([3, 3])
    for (const id of [...first.ids, ...second.ids]) await become(id, 'RUNNING')
    expect((await hosts[0].machines()).toSorted()).toEqual(first.uuids)
    expect((await hosts[1].machines()).toSorted()).toEqual(second.uuids)
    expect(await inventory(SECOND)).toMatchObject({
      leased: true,
      connected: true,
      process: { name: `the process of ${SECOND}`, alive: true },
    })
  })

  it('one that is gone leaves its routers as last seen and takes no more; the other continues', async () => {
    const { ids: away } = await on(SECOND)
    const { ids: here } = await on(FIRST)
    await lose(SECOND)
    expect(await read(away[0]!)).toMatchObject({ state: 'RUNNING', stateKnown: false })
    expect(await inventory(SECOND)).toMatchObject({
      leased: false,
      connected: false,
      process: { alive: false },
      fault: expect.stringMatching(
        /^No agent is running: last seen was the process of ams1-hv2 at .*Start longhaul-agent on ams1-hv2\.$/,
      ),
    })
    for (let i = 0; i < 3; i++) expect((await order()).status).toBe(202)
    expect(await on(SECOND)).toMatchObject({ ids: away })
    expect((await act(away[1]!, 'shutdown')).status).toBe(202)
    expect((await owner.call('DELETE', `/api/virtual_machines/${away[2]}`)).status).toBe(202)
    await act(here[0]!, 'shutdown')
    await become(here[0]!, 'STOPPED')
    expect(await read(here[1]!)).toMatchObject({ state: 'RUNNING', stateKnown: true })
    expect((await read(away[1]!)).state).toBe('STOPPING')
  })

  it('does what was requested meanwhile when it is back, and has nothing twice', async () => {
    const { ids } = await on(SECOND)
    const host = await start(SECOND)
    await become(ids[1]!, 'STOPPED')
    await vi.waitUntil(async () => !(await on(SECOND)).ids.includes(ids[2]!), { timeout: 20_000 })
    expect(await read(ids[0]!)).toMatchObject({ state: 'RUNNING', stateKnown: true })
    expect((await host.machines()).toSorted()).toEqual((await on(SECOND)).uuids)
    expect((await running.get(FIRST)!.machines()).toSorted()).toEqual((await on(FIRST)).uuids)
  })

  it('one whose connection to the database breaks drives on by the same lease', async () => {
    const host = running.get(FIRST)!
    const before = host.term()
    const broke = new Date().toISOString()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${`longhaul lease of hypervisor ${FIRST}`} and datname = current_database()`.execute(db)
    await vi.waitUntil(async () => (await inventory(FIRST)).process.seenAt > broke, { timeout: 15_000 })
    expect(host.term()).toBe(before)
    const { ids } = await on(FIRST)
    await act(ids[1]!, 'shutdown')
    await become(ids[1]!, 'STOPPED')
    expect((await host.machines()).toSorted()).toEqual((await on(FIRST)).uuids)
  })

  it('place nothing where the image is not', async () => {
    const first = await inventory(FIRST)
    await sql`update hypervisors set images = ${ANOTHER} where id = ${first.id}`.execute(db)
    const before = (await on(FIRST)).ids.length
    for (let i = 0; i < 2; i++) expect((await order()).status).toBe(202)
    expect((await on(FIRST)).ids).toHaveLength(before)
    const { body } = await staff.call('GET', '/api/admin/images')
    expect(body.images[0]).toMatchObject({ lackedBy: [FIRST], differsAt: [], file: { name: 'longhaul-appliance' } })
    expect(body.unoffered).toMatchObject([{ name: 'another' }])
    await sql`update hypervisors set images = null where id = ${first.id}`.execute(db)
  })
})

describe('a second process for the same hypervisor', () => {
  it('waits, says so, and takes over when the first has ended', async () => {
    const second = await startHypervisorAgent(testApp, FIRST, places[FIRST]!)
    await vi.waitUntil(async () => (await inventory(FIRST)).waiting !== null, { timeout: 20_000 })
    expect((await inventory(FIRST)).waiting).toContain('Another process drives it')
    expect(second.term()).toBeNull()
    await running.get(FIRST)!.end()
    await vi.waitUntil(() => second.term() !== null, { timeout: 20_000 })
    running.set(FIRST, second)
    expect((await inventory(FIRST)).waiting).toBeNull()
    const { ids } = await on(FIRST)
    await act(ids[0]!, 'start')
    await become(ids[0]!, 'RUNNING')
    expect((await second.machines()).toSorted()).toEqual((await on(FIRST)).uuids)
  })

  it('a process of another installation drives nothing and makes no machine, until a person says that the host is a new one', async () => {
    await lose(SECOND)
    const strange = newHypervisor()
    const host = await startHypervisorAgent(testApp, SECOND, strange)
    await vi.waitUntil(async () => (await inventory(SECOND)).waiting !== null, { timeout: 20_000 })
    expect((await inventory(SECOND)).waiting).toContain(`longhaul hypervisor reassign ${SECOND}`)
    expect([host.term(), await host.machines()]).toEqual([null, []])
    await host.end()

    // The installation that owns the machines can take the lease.
    await start(SECOND)
    const refused = db.transaction().execute((transaction) => reassignHypervisor(transaction, SYSTEM, SECOND))
    await expect(refused).rejects.toThrow('end it first')
    await lose(SECOND)
    await db.transaction().execute((transaction) => reassignHypervisor(transaction, SYSTEM, SECOND))
    places[SECOND] = strange
    const adopted = await start(SECOND)
    const { uuids } = await on(SECOND)
    await vi.waitUntil(async () => (await adopted.machines()).length > 0, { timeout: 20_000 })
    expect(uuids).toEqual(expect.arrayContaining(await adopted.machines()))
  })

  it('under another name is refused: what it has would be sold twice', async () => {
    const host = await startHypervisorAgent(testApp, 'ams1-hv3', places[SECOND]!)
    await vi.waitUntil(() => host.term() !== null, { timeout: 3_000 }).catch(() => undefined)
    expect(host.term()).toBeNull()
    await host.end()
    const { body } = await staff.call('GET', '/api/admin/hypervisors')
    expect(body.unused).toEqual([])
  })
})

describe('a process without its hypervisor', () => {
  it('waits to have it added, and drives it then', async () => {
    places['fra1-hv1'] = newHypervisor()
    const host = await startHypervisorAgent(testApp, 'fra1-hv1', places['fra1-hv1'])
    running.set('fra1-hv1', host)
    await vi.waitUntil(() => host.term() !== null, { timeout: 20_000 })
    expect((await staff.call('GET', '/api/admin/hypervisors')).body.unused).toEqual(['fra1-hv1'])
    await staff.call('POST', '/api/admin/sites', { slug: 'fra1', name: 'Frankfurt' })
    const size = { cpus: 4, memory: 4096, disk: 50 }
    const added = await staff.call('POST', '/api/admin/hypervisors', { slug: 'fra1-hv1', site: 'fra1', ...size })
    expect(added).toMatchObject({ status: 201, body: { leased: true } })
    expect((await staff.call('GET', '/api/admin/hypervisors')).body.unused).toEqual([])
    await vi.waitUntil(async () => (await inventory('fra1-hv1')).connected, { timeout: 20_000 })
  })
  it('a process whose hypervisor was removed drives another, also as an agent', async () => {
    const { installation } = places['fra1-hv1']!
    const acquire = () =>
      db
        .transaction()
        .execute((transaction) =>
          acquireHypervisorLease(transaction, { slug: 'fra1-new', installation, url: null, replaces: false }, null),
        )
    await lose('fra1-hv1')
    const { id } = await inventory('fra1-hv1')
    await staff.call('PATCH', `/api/admin/hypervisors/${id}`, { drained: true })
    expect(await acquire()).toContain('Its DATA_DIR is that of fra1-hv1')
    expect((await staff.call('DELETE', `/api/admin/hypervisors/${id}`)).status).toBe(204)
    expect(await acquire()).toBeNull()
    const left = await db.selectFrom('hypervisor_agents').select('slug').where('slug', 'like', 'fra1%').execute()
    expect(left).toEqual([{ slug: 'fra1-new' }])
  })
})
