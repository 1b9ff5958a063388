import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Hypervisor, HypervisorEvent } from '../../drivers/hypervisor/index.ts'
import { createLibvirt } from '../../drivers/hypervisor/libvirt/index.ts'
import { CODE } from '../../drivers/hypervisor/libvirt/rpc/errors.ts'
import { FRAME_STATUS, FRAME_TYPE } from '../../drivers/hypervisor/libvirt/rpc/frame.ts'
import { errorBody, reply, startDaemon } from '../../drivers/hypervisor/libvirt/rpc/fake-libvirtd.ts'
import { createSimulatedHypervisor } from '../../drivers/hypervisor/simulated/index.ts'
import { manualClock } from '../../kernel/clock.ts'
import { hypervisorWatch } from './hypervisor-watch.ts'
import { orphanedResourcesReconciler } from './orphaned-resources.ts'
import { routerReconciler } from '../reconciler.ts'
import { createRoutersTestApp } from '../testing.ts'
import { setDesiredState } from '../router-commands.ts'

const simulated = createSimulatedHypervisor({ bootMs: 10, shutdownMs: 5 })
/** Further events that the test sends. */
const said: HypervisorEvent[] = []
const hypervisor: Hypervisor = {
  ...simulated,
  async *events(signal) {
    yield { type: 'connected' }
    while (!signal.aborted) {
      const next = said.shift()
      if (next) yield next
      else await sleep(5)
    }
  },
}
const clock = manualClock('2026-03-02T09:00:00Z')
const testApp = await createRoutersTestApp({ hypervisor, clock })
const { db, deps } = testApp
const stop = new AbortController()
const watching = hypervisorWatch(deps).reconcile(testApp.hypervisorId, stop.signal)
afterAll(async () => {
  stop.abort()
  await watching
})
const owner = await testApp.addUser()
let orders = 0

const hypervisorRow = () =>
  db.selectFrom('hypervisors').selectAll().where('id', '=', testApp.hypervisorId).executeTakeFirstOrThrow()
async function say(event: HypervisorEvent, until: (host: Awaited<ReturnType<typeof hypervisorRow>>) => boolean) {
  said.push(event)
  await vi.waitUntil(async () => until(await hypervisorRow()), { timeout: 10_000 })
}
async function running() {
  clock.advance(1_000)
  const router = await testApp.order(owner.id, { name: `watched-${++orders}` })
  await testApp.settle(router.id)
  return router
}
/** Returns what its audit log says about how it went off. */
async function endings(id: number): Promise<string[]> {
  const events = await db
    .selectFrom('audit_events')
    .select('action')
    .where('subject_type', '=', 'router')
    .where('subject_id', '=', id)
    .where('action', 'in', ['router.guest_shutdown', 'router.found_stopped', 'router.crashed'])
    .orderBy('id')
    .execute()
  return events.map(({ action }) => action)
}
beforeAll(() => vi.waitUntil(async () => (await hypervisorRow()).connected, { timeout: 10_000 }))

describe('a machine that is off without anyone having asked the portal', () => {
  it('stays off when it was shut down from its operating system while it was watched', async () => {
    const router = await running()
    await simulated.stop(router.uuid, { mode: 'graceful' })
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('STOPPED')
    expect(await endings(router.id)).toEqual(['router.guest_shutdown'])
    const { body } = await owner.call('GET', '/api/virtual_machines')
    expect(body.find((one: { id: number }) => one.id === router.id).allowedActions).toContain('start')
  })

  it('is deleted when its owner asks for that while it is looked at', async () => {
    const router = await running()
    await simulated.stop(router.uuid, { mode: 'graceful' })
    const deleting: Hypervisor = {
      ...hypervisor,
      state: async (uuid) => {
        const seen = await simulated.state(uuid)
        if (seen === 'off') await owner.call('DELETE', `/api/virtual_machines/${router.id}`)
        return seen
      },
    }
    await testApp.settle(router.id, deleting)
    expect(await testApp.stateOf(router.id)).toBe('GONE')
  })

  it('is started again when this process was not there to see it go off', async () => {
    const router = await running()
    const since = deps.watched.get(testApp.hypervisorId)!
    deps.watched.delete(testApp.hypervisorId)
    await simulated.stop(router.uuid, { mode: 'graceful' })
    clock.advance(1_000)
    deps.watched.set(testApp.hypervisorId, clock.now())
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
    deps.watched.set(testApp.hypervisorId, since)
  })

  it('is started again when its host went down with it', async () => {
    const router = await running()
    await say({ type: 'lost', reason: 'the connection broke' }, (host) => !host.connected)
    await simulated.stop(router.uuid, { mode: 'graceful' })
    clock.advance(60_000)
    await say({ type: 'connected' }, (host) => host.connected)
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
  })

  it('is started again when its host switched it off, and no one is said to have shut it down inside', async () => {
    const router = await running()
    await simulated.stop(router.uuid, { mode: 'force' })
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
    expect(await endings(router.id)).toEqual(['router.found_stopped'])
  })

  it('is started again when it crashed, but not at once each time', async () => {
    const router = await running()
    let starts = 0
    const crashing: Hypervisor = {
      ...hypervisor,
      state: () => Promise.resolve(starts++ % 2 === 0 ? 'crashed' : 'running'),
      start: () => Promise.resolve(),
    }
    await expect(testApp.settle(router.id, crashing)).rejects.toThrow('did not settle')
    expect(await testApp.row(router.id)).toMatchObject({ desired_state: 'running', failures: 1, observed: 'crashed' })
    expect(starts).toBe(1)
    clock.advance(5_000)
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
  })

  it('is made again when it is gone altogether', async () => {
    const router = await running()
    await simulated.remove(router.uuid)
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
  })
})

describe('a shutdown that is no longer wanted', () => {
  /** Its guest accepts a shutdown and takes its time: the test says when it is off. */
  function deaf() {
    const asked = Promise.withResolvers<AbortSignal | undefined>()
    const off = Promise.withResolvers<void>()
    const host: Hypervisor = {
      ...hypervisor,
      stop: async (uuid, { signal }) => {
        asked.resolve(signal)
        const given = new Promise<'given up'>((resolve) => {
          signal?.addEventListener('abort', () => resolve('given up'), { once: true })
        })
        if ((await Promise.race([off.promise, given])) !== 'given up') await simulated.stop(uuid, { mode: 'graceful' })
      },
    }
    return { host, asked: asked.promise, end: () => off.resolve() }
  }
  const reconcilerOn = (host: Hypervisor) =>
    routerReconciler({ ...deps, hypervisors: new Map([...deps.hypervisors.keys()].map((slug) => [slug, host])) })
  const signal = new AbortController().signal

  it('a shutdown of a suspended account that paid meanwhile ends in a running router, not in one shut down inside', async () => {
    const router = await running()
    const guest = deaf()
    const reconciler = reconcilerOn(guest.host)
    await setDesiredState(db, router.id, { suspended: true, stop_mode: 'graceful' }, clock.now())
    await reconciler.reconcile(router.id, signal)
    await guest.asked
    await setDesiredState(db, router.id, { suspended: false, stop_mode: 'graceful' }, clock.now())
    // It had heard, and goes off after all.
    await simulated.stop(router.uuid, { mode: 'graceful' })
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
    expect(await endings(router.id)).toEqual([])
  })

  it.each([
    ['a reset', { desired_state: 'running', task: 'reset', task_phase: 'down' }],
    ['the end of a suspension', { suspended: false, task: null, task_phase: null }],
  ] as const)('is given up for %s: no one pulls the plug at its deadline', async (_what, change) => {
    const router = await running()
    const guest = deaf()
    const reconciler = reconcilerOn(guest.host)
    const suspended = 'suspended' in change
    await setDesiredState(
      db,
      router.id,
      suspended
        ? { suspended, stop_mode: 'graceful' }
        : { desired_state: 'running', task: 'reboot', task_phase: 'down' },
      clock.now(),
    )
    await reconciler.reconcile(router.id, signal)
    const given = await guest.asked
    expect(given?.aborted).toBe(false)
    await setDesiredState(db, router.id, change, clock.now())
    await vi.waitUntil(async () => {
      await reconciler.reconcile(router.id, signal)
      return (await testApp.stateOf(router.id)) === 'RUNNING'
    })
    expect(given?.aborted).toBe(true)
    guest.end()
    expect(await endings(router.id)).toEqual([])
  })

  it('is given up when this process no longer drives the hypervisor', async () => {
    const router = await running()
    const guest = deaf()
    const ending = new AbortController()
    await setDesiredState(db, router.id, { desired_state: 'running', task: 'reboot', task_phase: 'down' }, clock.now())
    await reconcilerOn(guest.host).reconcile(router.id, ending.signal)
    const given = await guest.asked
    ending.abort()
    expect(given?.aborted).toBe(true)
    await testApp.settle(router.id)
    expect(await testApp.stateOf(router.id)).toBe('RUNNING')
  })
})

describe('a hypervisor that is lost', () => {
  it('leaves its routers as they were last seen, and says that this is not known', async () => {
    const router = await running()
    const url = `/api/virtual_machines/${router.id}`
    await say({ type: 'lost', reason: 'no answer in 4 s' }, (host) => host.fault === 'no answer in 4 s')
    expect((await owner.call('GET', url)).body).toMatchObject({ state: 'RUNNING', stateKnown: false })
    await say({ type: 'connected' }, (host) => host.connected && host.fault === null)
    expect((await owner.call('GET', url)).body).toMatchObject({ state: 'RUNNING', stateKnown: true })
  })
})

describe('a libvirt that refuses every connection', () => {
  it("is shown as not connected, with libvirt's own words as the reason", async () => {
    await using daemon = await startDaemon(
      () => null,
      (call, socket) => {
        const denial = errorBody(CODE.authRefused, 'authentication failed: access denied by policy')
        socket.write(reply(call, denial, FRAME_TYPE.reply, FRAME_STATUS.error))
        return null
      },
    )
    const libvirt = createLibvirt({
      socket: daemon.path,
      instance: 'refused',
      poolDirectory: '/nonexistent',
      imageDirectory: '/nonexistent',
      bridge: null,
    })
    const { id } = await db
      .insertInto('hypervisors')
      .values({
        slug: 'ams1-hv9',
        name: 'Refused',
        site_id: testApp.siteId,
        cpus: 4,
        memory: 4096,
        disk: 50,
        driver: 'libvirt',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ending = new AbortController()
    const watch = hypervisorWatch({ ...deps, watched: new Map(), hypervisors: new Map([['ams1-hv9', libvirt]]) })
    const run = watch.reconcile(id, ending.signal)
    const row = () => db.selectFrom('hypervisors').selectAll().where('id', '=', id).executeTakeFirst()
    await vi.waitUntil(async () => (await row())?.fault?.includes('access denied by policy'), { timeout: 10_000 })
    expect(await row()).toMatchObject({ connected: false })
    ending.abort()
    await run
    await libvirt.close()
  })
})

describe('a hypervisor that tells of the machines of another', () => {
  it('is not listened to', async () => {
    const router = await running()
    const rowOf = () =>
      db.selectFrom('routers').select(['due_at', 'config_digest']).where('id', '=', router.id).executeTakeFirstOrThrow()
    const before = await rowOf()
    expect(before.config_digest).not.toBeNull()
    const { id } = await db
      .insertInto('hypervisors')
      .values({
        slug: 'ams1-hv7',
        name: 'Liar',
        site_id: testApp.siteId,
        cpus: 4,
        memory: 4096,
        disk: 50,
        driver: 'simulated',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    clock.advance(1_000)
    const liar: Hypervisor = {
      ...simulated,
      async *events() {
        yield { type: 'agent', uuid: router.uuid, up: true }
        yield { type: 'machine', uuid: router.uuid, state: 'off' }
      },
    }
    const watch = hypervisorWatch({ ...deps, watched: new Map(), hypervisors: new Map([['ams1-hv7', liar]]) })
    await watch.reconcile(id, new AbortController().signal)
    expect(await rowOf()).toEqual(before)
  })
})

describe('a machine that no router stands behind', () => {
  const foreign = (uuid: string) =>
    simulated.ensure({
      uuid,
      label: 'left-over',
      cpus: 1,
      memory: 192,
      diskSize: 1,
      image: 'longhaul-appliance',
      nic: { mac: '02:4c:00:00:ff:ff', allowedSources: ['203.0.113.200/32'] },
      bootFiles: {},
    })
  const sweepOnce = async (sweep: ReturnType<typeof orphanedResourcesReconciler>) => {
    for (const id of await sweep.due()) await sweep.reconcile(id, new AbortController().signal)
  }

  it('is removed once it was one for long enough, and no other is', async () => {
    const router = await running()
    const uuid = '6f9619ff-8b86-4011-b42d-00cf4fc964ff'
    await foreign(uuid)
    const sweep = orphanedResourcesReconciler(deps)
    await sweepOnce(sweep)
    clock.advance(5 * 60_000)
    await sweepOnce(sweep)
    expect(await simulated.state(uuid)).toBe('off')
    clock.advance(6 * 60_000)
    await sweepOnce(sweep)
    expect(await simulated.state(uuid)).toBe('absent')
    expect(await simulated.state(router.uuid)).toBe('running')
  })

  it('goes the same way when only its disk or files are left', async () => {
    const left = new Set(['6f9619ff-8b86-4011-b42d-00cf4fc96500'])
    const host: Hypervisor = {
      ...simulated,
      orphanedResources: async () => [...left],
      remove: async (uuid) => void left.delete(uuid),
    }
    const sweep = orphanedResourcesReconciler({
      ...deps,
      hypervisors: new Map([...deps.hypervisors.keys()].map((slug) => [slug, host])),
    })
    await sweepOnce(sweep)
    expect(left.size).toBe(1)
    clock.advance(11 * 60_000)
    await sweepOnce(sweep)
    expect(left.size).toBe(0)
  })

  it('is left alone when the database knows none of many: that is the wrong database', async () => {
    const other = createSimulatedHypervisor({ bootMs: 1 })
    const uuids = ['6f9619ff-8b86-4011-b42d-00cf4fc96401', '6f9619ff-8b86-4011-b42d-00cf4fc96402']
    for (const uuid of uuids) {
      const [spec] = [{ uuid, label: 'x', cpus: 1, memory: 192, diskSize: 1, image: 'longhaul-appliance' }]
      await other.ensure({ ...spec!, nic: { mac: '02:4c:00:00:ff:fe', allowedSources: [] }, bootFiles: {} })
    }
    const sweep = orphanedResourcesReconciler({
      ...deps,
      hypervisors: new Map([...deps.hypervisors.keys()].map((slug) => [slug, other])),
    })
    for (const _ of [1, 2, 3]) {
      await sweepOnce(sweep)
      clock.advance(60 * 60_000)
    }
    expect(await other.list()).toHaveLength(2)
  })
})
