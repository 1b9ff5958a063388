import { afterAll, expect, test } from 'vitest'
import { writeStanding } from '../../accounts/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { OPERATOR, transitOnTrial } from '../testing.ts'
import { readConnectionFacts } from './connection-facts.ts'
import { desiredEdge } from './desired.ts'

const trial = await transitOnTrial(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => trial.close())

test('an account that does not pay is drained, then shut, and back as it was once it paid', async () => {
  const { userId } = await trial.addConnected(551_000)
  const wanted = async () => {
    const { state } = desiredEdge(OPERATOR, await readConnectionFacts(trial.db, trial.deps))
    return state.customers.map(({ enabled, drained }) => ({ enabled, drained: drained ?? false }))
  }
  const standing = (change: object) => writeStanding(trial.db, SYSTEM, userId, change)
  expect(await wanted()).toEqual([{ enabled: true, drained: false }])
  await standing({ transit: 'drained' })
  expect(await wanted()).toEqual([{ enabled: true, drained: true }])
  await standing({ transit: 'shut' })
  expect(await wanted()).toEqual([{ enabled: false, drained: false }])
  await standing({ transit: 'normal', suspended: true })
  expect(await wanted()).toEqual([{ enabled: false, drained: false }])
  await standing({ suspended: false })
  expect(await wanted()).toEqual([{ enabled: true, drained: false }])
})
