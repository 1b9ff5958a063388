/** A router that its host cannot make moves to another host. */
import { beforeEach, describe, expect, it } from 'vitest'
import { HypervisorError, type Hypervisor, type HypervisorErrorKind } from '../drivers/hypervisor/index.ts'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import { manualClock } from '../kernel/clock.ts'
import { FIRST_HYPERVISOR } from '../platform/settings.ts'
import { markConnected, markDisconnected } from './hypervisors/hypervisor-watch.ts'
import { routerMoves } from './moves.ts'
import { orphanedResourcesReconciler } from './hypervisors/orphaned-resources.ts'
import { routerReconciler } from './reconciler.ts'
import { createRoutersTestApp } from './testing.ts'

const clock = manualClock(new Date('2026-03-01T00:00:00Z'))
const testApp = await createRoutersTestApp({ clock })
const { db } = testApp
const owner = await testApp.addUser()
const NAMES = [FIRST_HYPERVISOR, 'ams1-hv2', 'ams1-hv3', 'ams1-hv4']
/** Longer than any pause before the next attempt. */
const LATER_MS = 11 * 60_000

const ids: number[] = [testApp.hypervisorId]
for (const slug of NAMES.slice(1)) {
  const { id } = await db
    .insertInto('hypervisors')
    .values({ slug, name: slug, site_id: testApp.siteId, driver: 'simulated', cpus: 16, memory: 32_768, disk: 500 })
    .returning('id')
    .executeTakeFirstOrThrow()
  ids.push(id)
}
let places: Hypervisor[] = []
let hypervisors = new Map<string, Hypervisor>()

const refuse = (kind: HypervisorErrorKind) => () =>
  Promise.reject(new HypervisorError(kind, 'the host said so in its own words'))

/** Replaces parts of a host's behavior; the other hosts stay as they are. */
const change = (index: number, behaviour: Partial<Hypervisor>) =>
  void hypervisors.set(NAMES[index]!, { ...hypervisors.get(NAMES[index]!)!, ...behaviour })

beforeEach(async () => {
  await db.deleteFrom('address_leases').execute()
  await db.deleteFrom('routers').execute()
  await db.updateTable('hypervisors').set({ drained: false, images: null }).execute()
  places = NAMES.map(() => createSimulatedHypervisor({ bootMs: 2, shutdownMs: 1 }))
  hypervisors = new Map(NAMES.map((slug, index) => [slug, places[index]!]))
  for (const index of NAMES.keys()) {
    await markConnected(db, ids[index]!, places[index]!, clock.now())
  }
  // Only the first takes the order, so that the tests know where it begins.
  await db.updateTable('hypervisors').set({ drained: true }).where('id', '!=', ids[0]!).execute()
})
const open = (...indexes: number[]) =>
  db
    .updateTable('hypervisors')
    .set({ drained: false })
    .where(
      'id',
      'in',
      indexes.map((index) => ids[index]!),
    )
    .execute()

async function settle(id: number): Promise<void> {
  const reconciler = routerReconciler({ ...testApp.deps, hypervisors })
  for (let pass = 0; pass < 100; pass++) {
    const again = await reconciler.reconcile(id, new AbortController().signal)
    const row = await testApp.row(id)
    if (row?.retry_at && row.retry_at > clock.now()) return
    if (!again && row?.due_at === null) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it did not settle')
}
const view = async (id: number) => {
  const row = (await testApp.row(id))!
  return { state: await testApp.stateOf(id), host: row.hypervisor_slug, address: row.address4 }
}
const moves = async (id: number) =>
  (
    await db
      .selectFrom('audit_events')
      .select('data')
      .where('action', '=', 'router.moved')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ data }) => data)

describe('a router that never booted', () => {
  it.each([
    ['its host has no space for the disk', 'no-space', 'its host has no space left'],
    ['its host has a broken image', 'not-found', 'its host refused'],
    ['its host fails', 'internal', 'its host refused'],
  ] as const)('is created on another host when %s, with the same addresses', async (_why, kind, reason) => {
    change(0, { ensure: refuse(kind) })
    const router = await testApp.order(owner.id, { name: 'moves' })
    await open(1)
    await settle(router.id)
    expect(await view(router.id)).toEqual({ state: 'RUNNING', host: NAMES[1], address: router.address4 })
    expect(await moves(router.id)).toEqual([{ name: 'moves', reason, fromHypervisor: ids[0], toHypervisor: ids[1] }])
    expect(await places[0]!.list()).toEqual([])
  })

  it('goes when its host cannot start it, and leaves nothing there', async () => {
    change(0, { start: refuse('internal') })
    const router = await testApp.order(owner.id)
    await open(1)
    await settle(router.id)
    expect(await view(router.id)).toMatchObject({ state: 'RUNNING', host: NAMES[1] })
    expect(await places[0]!.list()).toEqual([])
    expect((await testApp.row(router.id))!.booted).toBe(true)
  })

  it('is tried on three hosts at most, and is FAILED on the last', async () => {
    for (const index of NAMES.keys()) change(index, { ensure: refuse('no-space') })
    const router = await testApp.order(owner.id)
    await open(1, 2, 3)
    await settle(router.id)
    expect(await view(router.id)).toMatchObject({ state: 'FAILED' })
    const hosts = new Set((await moves(router.id)).map((move) => (move as { toHypervisor: number }).toHypervisor))
    expect(hosts.size).toBe(2)
    clock.advance(LATER_MS)
    await settle(router.id)
    expect(await moves(router.id)).toHaveLength(2)
  })

  it('goes only where there is room, the image, service and no drain', async () => {
    change(0, { ensure: refuse('no-space') })
    const router = await testApp.order(owner.id)
    await open(1, 2)
    await db
      .updateTable('hypervisors')
      .set({ images: JSON.stringify([{ name: 'another' }]) })
      .where('id', '=', ids[1]!)
      .execute()
    await markDisconnected(db, ids[2]!, 'its process is gone')
    await settle(router.id)
    expect(await view(router.id)).toMatchObject({ state: 'FAILED', host: NAMES[0] })
    expect(await moves(router.id)).toEqual([])
    // Every attempt looks for room elsewhere.
    await open(3)
    clock.advance(LATER_MS)
    await settle(router.id)
    expect(await view(router.id)).toMatchObject({ state: 'RUNNING', host: NAMES[3] })
  })

  it('is not started by a host that it was taken from meanwhile', async () => {
    let [looks, starts] = [0, 0]
    change(0, {
      state: async (uuid) => {
        const state = await places[0]!.state(uuid)
        // The leader moves it away after the step was chosen and before the start.
        if (state === 'off' && ++looks === 2)
          await db.updateTable('routers').set({ hypervisor_id: ids[1]! }).where('uuid', '=', uuid).execute()
        return state
      },
      start: async () => void (starts += 1),
    })
    const router = await testApp.order(owner.id)
    await settle(router.id)
    expect(starts).toBe(0)
    expect(await view(router.id)).toMatchObject({ state: 'RUNNING', host: NAMES[1] })
  })
})

describe('a router that has booted', () => {
  it('stays on its host with its disk, whatever its host refuses', async () => {
    const router = await testApp.order(owner.id)
    await settle(router.id)
    await open(1)
    change(0, { start: refuse('no-space'), ensure: refuse('no-space') })
    await places[0]!.stop(router.uuid, { mode: 'force' })
    await settle(router.id)
    expect(await view(router.id)).toMatchObject({ state: 'FAILED', host: NAMES[0] })
    expect(await moves(router.id)).toEqual([])
    // Nor after its disk is erased: its owner has had data there.
    change(0, { reinstall: (uuid) => places[0]!.reinstall(uuid) })
    expect(
      (await owner.call('POST', `/api/virtual_machines/${router.id}/actions`, { action: 'reinstall' })).status,
    ).toBe(202)
    await settle(router.id)
    expect(await moves(router.id)).toEqual([])
  })

  it('stays when its start was asked for and not answered: the guest may run', async () => {
    change(0, { start: refuse('timeout-unknown') })
    const router = await testApp.order(owner.id)
    await open(1)
    await expect(settle(router.id)).rejects.toThrow('its own words')
    change(0, { start: refuse('internal') })
    await settle(router.id)
    expect(await view(router.id)).toMatchObject({ state: 'FAILED', host: NAMES[0] })
    expect(await moves(router.id)).toEqual([])
  })
})

describe('a host that does not answer', () => {
  const sweep = async () => {
    const job = routerMoves({ db, clock })
    for (const id of await job.due()) await job.reconcile(id, new AbortController().signal)
  }

  it('loses a router that never booted to another host after two minutes, and no other', async () => {
    const [old, fresh] = [
      await testApp.order(owner.id, { name: 'old' }),
      await testApp.order(owner.id, { name: 'fresh' }),
    ]
    await settle(old.id)
    await open(1)
    await markDisconnected(db, ids[0]!, 'the host is gone')
    clock.advance(60_000)
    await sweep()
    expect(await view(fresh.id)).toMatchObject({ state: 'CREATING', host: NAMES[0] })
    clock.advance(61_000)
    await sweep()
    await settle(fresh.id)
    expect(await view(fresh.id)).toEqual({ state: 'RUNNING', host: NAMES[1], address: fresh.address4 })
    expect(await moves(fresh.id)).toMatchObject([{ reason: 'its host does not answer' }])
    expect(await view(old.id)).toMatchObject({ state: 'RUNNING', host: NAMES[0] })
  })

  it('has what is left of it removed when it is back, though the router lives elsewhere', async () => {
    const left = await Promise.all(['left-1', 'left-2'].map((name) => testApp.order(owner.id, { name })))
    for (const { uuid } of left) {
      await places[0]!.ensure({
        uuid,
        label: 'left',
        cpus: 1,
        memory: 192,
        diskSize: 1,
        image: 'longhaul-appliance',
        nic: { mac: '02:4c:00:00:00:01', allowedSources: [] },
        bootFiles: {},
      })
    }
    await open(1)
    await markDisconnected(db, ids[0]!, 'the host is gone')
    clock.advance(121_000)
    await sweep()
    for (const { id } of left) await settle(id)
    const orphans = orphanedResourcesReconciler({ ...testApp.deps, hypervisors })
    const look = async () => {
      for (const id of ids.slice(0, 2)) await orphans.reconcile(id, new AbortController().signal)
    }
    await look()
    clock.advance(LATER_MS)
    await look()
    expect(await places[0]!.list()).toEqual([])
    expect(await places[1]!.list()).toHaveLength(2)
  })
})
