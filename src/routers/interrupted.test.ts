import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Hypervisor } from '../drivers/hypervisor/index.ts'
import { createSimulatedHypervisor } from '../drivers/hypervisor/simulated/index.ts'
import { deleteRouter } from './deletion.ts'
import { POWER_ACTIONS, isAllowed } from './states.ts'
import { routersOnTrial } from './testing.ts'
import { stateOf } from './view.ts'
import { requestPower, resizeRouter } from './wishes.ts'
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

/** Mostly at the first calls, so that every step of a long way is one where somebody died. */
const kills = fc.array(fc.record({ at: fc.integer({ min: 1, max: 4 }), when: fc.constantFrom('before', 'after') }), {
  maxLength: 8,
})
const round = fc.record({
  action: fc.constantFrom(...POWER_ACTIONS, 'resize'),
  kills,
  /** Whether the next wish waits until this one is fulfilled. */
  patient: fc.boolean(),
})
const life = fc.record({ birth: kills, rounds: fc.array(round, { maxLength: 4 }), death: kills })

async function live(id: number, deaths: readonly { at: number; when: 'before' | 'after' }[], patient: boolean) {
  for (const { at, when } of deaths) {
    try {
      await trial.settle(id, dying(at, when))
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }
  if (patient) await trial.settle(id)
}

it('reaches what is wished wherever it was killed, and leaves nothing behind', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ birth, rounds, death }) => {
      const { id, uuid } = await trial.order(owner.id, { name: `mortal-${++orders}` })
      await live(id, birth, true)
      for (const { action, kills: deaths, patient } of rounds) {
        const row = (await trial.row(id))!
        if (isAllowed(action, stateOf(row))) {
          if (action === 'resize') await resizeRouter(db, SYSTEM, row, 'swift', new Date())
          else await requestPower(db, SYSTEM, row, action, new Date())
        }
        await live(id, deaths, patient)
      }
      await trial.settle(id)

      const row = (await trial.row(id))!
      expect({ state: stateOf(row), task: row.task, seen: await hypervisor.state(uuid) }).toEqual(
        row.wish === 'running'
          ? { state: 'RUNNING', task: null, seen: 'running' }
          : { state: 'STOPPED', task: null, seen: 'off' },
      )
      await deleteRouter(trial.deps, db, SYSTEM, row, new Date())
      await live(id, death, true)
      expect(await trial.row(id)).toBeUndefined()
      expect(await hypervisor.list()).toEqual([])
    }),
    { numRuns: 25 },
  )
})
