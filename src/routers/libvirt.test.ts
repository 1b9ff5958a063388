/** The life of a router on a real hypervisor, where this machine has one. */
import { accountIdOf } from '../platform/db/testing.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../drivers/hypervisor/conformance-subjects.ts'
import { createChangeBus } from '../platform/events.ts'
import { runReconciler } from '../platform/reconcile.ts'
import { hypervisorReconcilers } from './index.ts'
import { createMeter } from './metrics/meter.ts'
import { createRoutersTestApp } from './testing.ts'

const subject = await libvirtSubject()
const uuids: string[] = []
const MINUTES = 60_000

const hypervisor = subject.skip === null ? await subject.open() : undefined
afterAll(async () => {
  for (const uuid of uuids) await hypervisor?.remove(uuid)
  await subject.close()
}, 2 * MINUTES)
const testApp = await createRoutersTestApp({ ...(hypervisor && { hypervisor }), seed: { driver: 'libvirt' } })

describe.skipIf(subject.skip !== null)(`a router on libvirt${subject.skip ? `: ${subject.skip}` : ''}`, () => {
  it('is created, configured, measured, rebooted, shut down inside and deleted', { timeout: 8 * MINUTES }, async () => {
    const stop = new AbortController()
    const bus = createChangeBus(testApp.deps.log)
    const working = Promise.all(
      hypervisorReconcilers({ ...testApp.deps, pricing: undefined }).map((one) =>
        runReconciler(one, { bus, log: testApp.deps.log, signal: stop.signal }),
      ),
    )
    try {
      const owner = await testApp.addUser()
      const { id, uuid } = await testApp.order(owner.id, { name: 'real-1' })
      uuids.push(uuid)
      const url = `/api/virtual_machines/${id}`
      const reach = (state: string) =>
        expect.poll(() => testApp.stateOf(id), { timeout: 2 * MINUTES, interval: 200 }).toBe(state)
      const act = async (action: string) =>
        expect((await owner.call('POST', `${url}/actions`, { action })).status).toBe(202)

      await reach('RUNNING')
      await expect
        .poll(async () => (await owner.call('GET', url)).body.configuration, { timeout: MINUTES })
        .toMatchObject({
          current: true,
          error: null,
        })
      const guest = hypervisor!.guest(uuid)
      const address = await guest.exec(['/usr/sbin/ip', '-brief', 'address', 'show', 'wan0'])
      expect(address.stdout).toContain('203.0.113.2/24')
      expect(address.stdout).toContain('2001:db8:100::2/64')
      expect((await guest.exec(['birdc', 'show', 'status'])).stdout).toContain('Router ID is 203.0.113.2')

      testApp.contributed.set(id, {
        birdConf: 'protocol static lh_origin4 {\n  ipv4;\n  route 45.30.10.0/24 blackhole;\n}\n',
        allowedSources: ['45.30.10.0/24'],
      })
      bus.receive(JSON.stringify({ type: 'prefix', id: 1, accountId: accountIdOf(owner.id) }))
      await expect
        .poll(async () => (await guest.exec(['birdc', 'show', 'route'])).stdout, { timeout: MINUTES, interval: 500 })
        .toContain('45.30.10.0/24')

      const meter = createMeter(testApp.hypervisorId)
      // An idle guest may sleep for a whole second.
      await expect
        .poll(
          async () => {
            await meter.take(testApp.db, await hypervisor!.stats())
            return (await owner.call('GET', url)).body.metrics?.cpu ?? 0
          },
          { timeout: MINUTES, interval: 1_000 },
        )
        .toBeGreaterThan(0)

      await act('reboot')
      await reach('REBOOTING')
      await reach('RUNNING')
      // Typed at the router's own prompt.
      await hypervisor!.guest(uuid).exec(['/bin/sh', '-c', 'poweroff'])
      await reach('STOPPED')

      await owner.call('DELETE', url)
      await reach('GONE')
      expect(await hypervisor!.list()).toEqual([])
    } finally {
      stop.abort()
      await working
    }
  })
})
