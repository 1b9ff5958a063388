import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import { deleteRouter } from './deletion.ts'
import { POWER_ACTIONS, isAllowed } from './states.ts'
import { createRoutersTestApp } from './testing.ts'
import { stateOf } from './view.ts'
import { requestPower, resizeRouter } from './router-commands.ts'
import { SYSTEM } from '../platform/audit.ts'

const hypervisor = createSimulatedHypervisor({ bootMs: 2, shutdownMs: 1 })
const testApp = await createRoutersTestApp({ hypervisor, seed: { cpus: 64, memory: 262_144 } })
const { db } = testApp
const owner = await testApp.addUser()
let orders = 0

class InjectedCrash extends Error {}

/**
 * A process that dies at its n-th call to the hypervisor: before the call is carried out, or after it without a reply.
 */
function dying(at: number, when: 'before' | 'after'): Hypervisor {
  let calls = 0
  const crashing = async <T>(call: () => Promise<T>): Promise<T> => {
    const last = ++calls === at
    if (last && when === 'before') throw new InjectedCrash()
    const answer = await call()
    if (last) throw new InjectedCrash()
    return answer
  }
  return {
    ...hypervisor,
    state: (uuid) => crashing(() => hypervisor.state(uuid)),
    ensure: (spec) => crashing(() => hypervisor.ensure(spec)),
    start: (uuid) => crashing(() => hypervisor.start(uuid)),
    stop: (uuid, options) => crashing(() => hypervisor.stop(uuid, options)),
    reset: (uuid) => crashing(() => hypervisor.reset(uuid)),
    reinstall: (uuid) => crashing(() => hypervisor.reinstall(uuid)),
    remove: (uuid) => crashing(() => hypervisor.remove(uuid)),
    guest: (uuid) => {
      const guest = hypervisor.guest(uuid)
      return {
        ping: () => crashing(() => guest.ping()),
        writeFile: (...args) => crashing(() => guest.writeFile(...args)),
        exec: (...args) => crashing(() => guest.exec(...args)),
      }
    },
  }
}

/** Mostly at the first calls, so that a crash hits every step of a long sequence. */
const kills = fc.array(fc.record({ at: fc.integer({ min: 1, max: 4 }), when: fc.constantFrom('before', 'after') }), {
  maxLength: 8,
})
const round = fc.record({
  action: fc.constantFrom(...POWER_ACTIONS, 'resize'),
  kills,
  /** Whether the next command waits until this one is complete. */
  patient: fc.boolean(),
})
const life = fc.record({ birth: kills, rounds: fc.array(round, { maxLength: 4 }), death: kills })

async function live(id: number, deaths: readonly { at: number; when: 'before' | 'after' }[], patient: boolean) {
  for (const { at, when } of deaths) {
    try {
      await testApp.settle(id, dying(at, when))
    } catch (error) {
      if (!(error instanceof InjectedCrash)) throw error
    }
  }
  if (patient) await testApp.settle(id)
}

it('reaches what is wished wherever it was killed, and leaves nothing behind', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ birth, rounds, death }) => {
      const { id, uuid } = await testApp.order(owner.id, { name: `mortal-${++orders}` })
      await live(id, birth, true)
      for (const { action, kills: deaths, patient } of rounds) {
        const row = (await testApp.row(id))!
        if (isAllowed(action, stateOf(row))) {
          if (action === 'resize') await resizeRouter(db, SYSTEM, row, 'swift', new Date())
          else await requestPower(db, SYSTEM, row, action, new Date())
        }
        await live(id, deaths, patient)
      }
      await testApp.settle(id)

      const row = (await testApp.row(id))!
      expect({ state: stateOf(row), task: row.task, seen: await hypervisor.state(uuid) }).toEqual(
        row.desired_state === 'running'
          ? { state: 'RUNNING', task: null, seen: 'running' }
          : { state: 'STOPPED', task: null, seen: 'off' },
      )
      await deleteRouter(testApp.deps, db, SYSTEM, row, new Date())
      await live(id, death, true)
      expect(await testApp.row(id)).toBeUndefined()
      expect(await hypervisor.list()).toEqual([])
    }),
    { numRuns: 25 },
  )
})
