/**
 * Reboots three routers at once on real machines, driven as in production: events of the hypervisor wake the
 * reconciler. `npm run prove` runs 201 reboots, the ordinary tests a sample.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { libvirtSubject } from '../drivers/hypervisor/conformance-subjects.ts'
import { createChangeBus, listenForChanges } from '../platform/events.ts'
import { runReconciler } from '../platform/reconcile.ts'
import { hypervisorReconcilers } from './index.ts'
import { createRoutersTestApp } from './testing.ts'

const ROUTERS = 3
const ROUNDS = process.env['PROVE'] ? 67 : 1
const MINUTES = 60_000
/** For one round: ten seconds on an idle machine. */
const ROUND_MS = 3 * MINUTES

const subject = await libvirtSubject()
const uuids: string[] = []
const hypervisor = subject.skip === null ? await subject.open() : undefined
afterAll(async () => {
  for (const uuid of uuids) await hypervisor?.remove(uuid)
  await subject.close()
}, 2 * MINUTES)
const testApp = await createRoutersTestApp({ ...(hypervisor && { hypervisor }), seed: { driver: 'libvirt' } })

describe.skipIf(subject.skip !== null)(`a reboot on libvirt${subject.skip ? `: ${subject.skip}` : ''}`, () => {
  it(
    'ends in a router that runs after exactly one boot, every time and with three at once',
    { timeout: (ROUNDS + 2) * ROUND_MS },
    async () => {
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
        const names = Array.from({ length: ROUTERS }, (_, index) => `reboots-${index + 1}`)
        const routers = await Promise.all(names.map((name) => testApp.order(owner.id, { name })))
        uuids.push(...routers.map(({ uuid }) => uuid))
        /** A reboot ends in any of these; it must never end in FAILED or STOPPED. */
        const over = async (id: number): Promise<string> => {
          for (const end = performance.now() + ROUND_MS; performance.now() < end; await sleep(200)) {
            const state = await testApp.stateOf(id)
            if (['RUNNING', 'STOPPED', 'FAILED'].includes(state)) return state
          }
          return testApp.stateOf(id)
        }
        expect(await Promise.all(routers.map(({ id }) => over(id)))).toEqual(routers.map(() => 'RUNNING'))

        for (let round = 1; round <= ROUNDS; round += 1) {
          for (const { id } of routers) {
            const url = `/api/virtual_machines/${id}/actions`
            expect((await owner.call('POST', url, { action: 'reboot' })).status).toBe(202)
          }
          const states = await Promise.all(routers.map(({ id }) => over(id)))
          const boots = await Promise.all(routers.map(({ id }) => countBoots(id)))
          expect({ round, states, boots }).toEqual({
            round,
            states: routers.map(() => 'RUNNING'),
            boots: routers.map(() => 1 + round),
          })
        }
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

/** libvirt logs a line for every QEMU that it starts. */
async function countBoots(id: number): Promise<number> {
  const log = await readFile(`/var/log/libvirt/qemu/lh-${subject.instance}-router-${id}.log`, 'utf8')
  return log.match(/^.*: starting up libvirt version/gm)?.length ?? 0
}
