/** A libvirtd that freezes for a minute: no machine ends or starts because of it. `npm run prove` waits the minute. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../drivers/hypervisor/conformance-subjects.ts'
import { openPrivateLibvirtd, type PrivateLibvirtd } from '../drivers/hypervisor/libvirt/testing/private-libvirtd.ts'
import { createChangeBus, listenForChanges } from '../platform/events.ts'
import { runReconciler } from '../platform/reconcile.ts'
import { hypervisorReconcilers } from './index.ts'
import { createRoutersTestApp } from './testing.ts'

const MINUTES = 60_000
/** Longer than the six seconds after which the driver considers it gone. */
const FROZEN_MS = process.env['PROVE'] ? 60_000 : 10_000
/** A shutdown wrongly carried into a later boot would force it off 90 seconds after the request. */
const WATCHED_MS = process.env['PROVE'] ? 120_000 : 10_000

const { skip, imageDirectory } = await libvirtSubject()
const uuids: string[] = []
let libvirtd: PrivateLibvirtd | undefined
afterAll(async () => {
  for (const uuid of uuids) await libvirtd?.hypervisor.remove(uuid)
  await libvirtd?.close()
}, 2 * MINUTES)
if (skip === null) libvirtd = await openPrivateLibvirtd(randomBytes(3).toString('hex'), imageDirectory)
const testApp = await createRoutersTestApp({
  ...(libvirtd && { hypervisor: libvirtd.hypervisor }),
  seed: { driver: 'libvirt' },
})

describe.skipIf(skip !== null)(`a libvirtd that is frozen for a while${skip ? `: ${skip}` : ''}`, () => {
  it(
    'boots no router that no one asked to, and each that was asked to once',
    { timeout: 8 * MINUTES + FROZEN_MS + WATCHED_MS },
    async () => {
      const daemon = libvirtd!
      const stop = new AbortController()
      const bus = createChangeBus(testApp.deps.log)
      const hearing = await listenForChanges(testApp.database.url, bus)
      const working = Promise.all(
        hypervisorReconcilers({ ...testApp.deps, pricing: undefined }).map((one) =>
          runReconciler(one, { bus, log: testApp.deps.log, signal: stop.signal }),
        ),
      )
      try {
        const owner = await testApp.addUser()
        const order = async (name: string) => {
          const { id, uuid } = await testApp.order(owner.id, { name })
          uuids.push(uuid)
          return id
        }
        const reach = (id: number, state: string) =>
          expect.poll(() => testApp.stateOf(id), { timeout: 3 * MINUTES, interval: 200 }).toBe(state)
        const act = async (id: number, action: string) =>
          expect((await owner.call('POST', `/api/virtual_machines/${id}/actions`, { action })).status).toBe(202)

        const [idle, before, during, off] = [
          await order('idle'),
          await order('before'),
          await order('during'),
          await order('off'),
        ]
        for (const id of [idle, before, during, off]) await reach(id, 'RUNNING')

        await act(before, 'reboot')
        // Its guest has been asked, or is about to be.
        await sleep(300)
        daemon.freeze()
        try {
          await sleep(FROZEN_MS / 2)
          await act(during, 'reboot')
          await act(off, 'shutdown')
          await sleep(FROZEN_MS / 2)
        } finally {
          daemon.thaw()
        }
        await reach(off, 'STOPPED')
        for (const id of [idle, before, during]) await reach(id, 'RUNNING')
        await sleep(WATCHED_MS)
        const boots = async (id: number) => [await testApp.stateOf(id), await daemon.countStarts(`router-${id}`)]
        expect({
          idle: await boots(idle),
          before: await boots(before),
          during: await boots(during),
          off: await boots(off),
        }).toEqual({ idle: ['RUNNING', 1], before: ['RUNNING', 2], during: ['RUNNING', 2], off: ['STOPPED', 1] })
        const unasked = await testApp.db
          .selectFrom('audit_events')
          .select('action')
          .where('action', 'in', ['router.guest_shutdown', 'router.found_stopped', 'router.crashed', 'router.failed'])
          .execute()
        expect(unasked).toEqual([])
      } finally {
        stop.abort()
        await working
        await hearing.close()
      }
    },
  )
})
