import type { UserId } from '../../kernel/ids.ts'
import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, expect, test } from 'vitest'
import { writeBillingStatus } from '../../accounts/index.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { transitApi } from '../contract.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { SYSTEM } from '../../platform/audit.ts'
import { OPERATOR, createTransitTestApp } from '../testing.ts'
import { readConnectionDetails } from './connection-facts.ts'
import { desiredEdge } from './desired.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => testApp.close())

const lift = (userId: UserId) =>
  testApp.db
    .updateTable('account_suspensions')
    .set({ lifted_by: userId, lifted_at: new Date(), lift_reason: 'Solved' })
    .where('account_id', '=', accountIdOf(userId))
    .execute()

test('an account that staff suspended is shut, whatever billing says, until staff lift it', async () => {
  const { userId } = await testApp.addConnected(551_001)
  const enabled = async () => {
    const { state } = desiredEdge(OPERATOR, await readConnectionDetails(testApp.db, testApp.deps))
    return state.customers.find(({ asn }) => asn === 551_001)!.enabled
  }
  const view = async () => (await testApp.call(userId, 'GET', '/api/transit_connection')).body.suspension
  expect(await enabled()).toBe(true)
  await testApp.suspend(userId)
  expect(await enabled()).toBe(false)
  expect(await view()).toEqual({ as: 'closed', by: 'staff', reason: 'taken over' })
  await writeBillingStatus(testApp.db, SYSTEM, accountIdOf(userId), {
    transit: 'closed',
    reason: 'An invoice is open.',
  })
  await writeBillingStatus(testApp.db, SYSTEM, accountIdOf(userId), { transit: 'normal', reason: null })
  expect(await enabled()).toBe(false)
  await writeBillingStatus(testApp.db, SYSTEM, accountIdOf(userId), {
    transit: 'closed',
    reason: 'An invoice is open.',
  })
  await lift(userId)
  expect(await enabled()).toBe(false)
  expect(await view()).toEqual({ as: 'closed', by: 'billing', reason: 'An invoice is open.' })
  await writeBillingStatus(testApp.db, SYSTEM, accountIdOf(userId), { transit: 'normal', reason: null })
  expect(await enabled()).toBe(true)
})

test('an account that staff suspended is refused every change of prefixes and the connection', async () => {
  const userId = await testApp.addUser({ asn: 551_002 })
  await testApp.suspend(userId)
  const changes = Object.entries(transitApi).filter(
    ([key, { access, impersonation }]: [string, Endpoint]) =>
      !key.startsWith('GET ') && ['session', 'verified'].includes(access) && impersonation !== 'always',
  )
  expect(changes.length).toBeGreaterThan(10)
  for (const [key] of changes) {
    const [method, path] = key.split(' ') as [string, string]
    const answer = await testApp.call(userId, method, path.replaceAll(/\{\w+\}/g, '4'), {})
    expect(answer, key).toMatchObject({ status: 403, body: { code: 'account_suspended_by_staff' } })
  }
  expect((await testApp.call(userId, 'GET', '/api/transit_connection')).status).toBe(200)
})

test('an account that does not pay is drained, then shut, and back as it was once it paid', async () => {
  const { userId } = await testApp.addConnected(551_000)
  const wanted = async () => {
    const { state } = desiredEdge(OPERATOR, await readConnectionDetails(testApp.db, testApp.deps))
    return state.customers
      .filter(({ asn }) => asn === 551_000)
      .map(({ enabled, drained }) => ({ enabled, drained: drained ?? false }))
  }
  const setBillingStatus = (change: object) => writeBillingStatus(testApp.db, SYSTEM, accountIdOf(userId), change)
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
