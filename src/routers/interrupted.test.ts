import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import { POWER_ACTIONS, isAllowed } from './states.ts'
import { routersOnTrial } from './testing.ts'
import { stateOf } from './view.ts'
import { deleteRouter, requestPower } from './wishes.ts'
import { SYSTEM } from '../platform/audit.ts'

const hypervisor = createSimulatedHypervisor({ bootMs: 2, shutdownMs: 1 })
const trial = await routersOnTrial({ hypervisor, seed: { cpus: 64, memory: 262_144 } })
const { db } = trial
const owner = await trial.addPerson()
let orders = 0

class Killed extends Error {}

/** A process that dies at its n-th call of the hypervisor: before it is carried out, or after, unheard. */
function dying(at: number, when: 'before' | 'after'): Hypervisor {
  let calls = 0
  const mortal = async <T>(call: () => Promise<T>): Promise<T> => {
    const last = ++calls === at
    if (last && when === 'before') throw new Killed()
    const answer = await call()
    if (last) throw new Killed()
    return answer
  }
  return {
    ...hypervisor,
    state: (uuid) => mortal(() => hypervisor.state(uuid)),
    ensure: (spec) => mortal(() => hypervisor.ensure(spec)),
    start: (uuid) => mortal(() => hypervisor.start(uuid)),
    stop: (uuid, options) => mortal(() => hypervisor.stop(uuid, options)),
    reset: (uuid) => mortal(() => hypervisor.reset(uuid)),
    reinstall: (uuid) => mortal(() => hypervisor.reinstall(uuid)),
    remove: (uuid) => mortal(() => hypervisor.remove(uuid)),
    guest: (uuid) => {
      const guest = hypervisor.guest(uuid)
      return {
        ping: () => mortal(() => guest.ping()),
        writeFile: (...args) => mortal(() => guest.writeFile(...args)),
        exec: (...args) => mortal(() => guest.exec(...args)),
      }
    },
  }
}

const kill = fc.record({ at: fc.integer({ min: 1, max: 12 }), when: fc.constantFrom('before', 'after') })
const plan = fc.record({
  wishes: fc.array(fc.constantFrom(...POWER_ACTIONS), { maxLength: 4 }),
  deleted: fc.boolean(),
  kills: fc.array(kill, { minLength: 1, maxLength: 6 }),
})

it('reaches what is wished wherever it was killed, and leaves nothing behind', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ wishes, deleted, kills }) => {
      const router = await trial.order(owner.id, { name: `mortal-${++orders}` })
      const survive = async (driver?: Hypervisor) => {
        try {
          await trial.settle(router.id, driver)
        } catch (error) {
          if (!(error instanceof Killed)) throw error
        }
      }
      for (const [index, { at, when }] of kills.entries()) {
        await survive(dying(at, when))
        const row = await trial.row(router.id)
        const action = wishes[index]
        if (row && action && isAllowed(action, stateOf(row))) await requestPower(db, SYSTEM, row, action, new Date())
      }
      if (deleted) await deleteRouter(db, SYSTEM, (await trial.row(router.id))!, new Date())
      for (const { at, when } of kills) await survive(dying(at, when))
      await survive()

      const row = await trial.row(router.id)
      const machine = await hypervisor.state(router.uuid)
      if (deleted) {
        expect({ row, machine }).toEqual({ row: undefined, machine: 'absent' })
      } else {
        expect({ state: stateOf(row!), machine, task: row!.task }).toEqual(
          row!.wish === 'running'
            ? { state: 'RUNNING', machine: 'running', task: null }
            : { state: 'STOPPED', machine: machine === 'absent' ? 'absent' : 'off', task: null },
        )
        await deleteRouter(db, SYSTEM, row!, new Date())
        await survive()
      }
      expect(await hypervisor.list()).toEqual([])
    }),
    { numRuns: 40 },
  )
})
