import { afterAll, expect, test } from 'vitest'
import { writeBillingStatus } from '../../accounts/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { OPERATOR, createTransitTestApp } from '../testing.ts'
import { readConnectionDetails } from './connection-facts.ts'
import { desiredEdge } from './desired.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => testApp.close())

test('an account that does not pay is drained, then shut, and back as it was once it paid', async () => {
  const { userId } = await testApp.addConnected(551_000)
  const wanted = async () => {
    const { state } = desiredEdge(OPERATOR, await readConnectionDetails(testApp.db, testApp.deps))
    return state.customers.map(({ enabled, drained }) => ({ enabled, drained: drained ?? false }))
  }
  const setBillingStatus = (change: object) => writeBillingStatus(testApp.db, SYSTEM, userId, change)
  expect(await wanted()).toEqual([{ enabled: true, drained: false }])
  await setBillingStatus({ transit: 'drained' })
  expect(await wanted()).toEqual([{ enabled: true, drained: true }])
  await setBillingStatus({ transit: 'closed' })
  expect(await wanted()).toEqual([{ enabled: false, drained: false }])
  await setBillingStatus({ transit: 'normal', suspended: true })
  expect(await wanted()).toEqual([{ enabled: false, drained: false }])
  await setBillingStatus({ suspended: false })
  expect(await wanted()).toEqual([{ enabled: true, drained: false }])
})
