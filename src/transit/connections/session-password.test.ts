import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { readConnectionDetails } from '../configuration/connection-facts.ts'
import { guestConfig } from '../configuration/guest/guest-config.ts'
import { passwordSealer } from './session-password.ts'
import { createTransitTestApp } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
afterAll(() => testApp.close())

const rowOf = (userId: number) =>
  testApp.db
    .selectFrom('transit_connections')
    .selectAll()
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
/** The connections as the edge would get them. */
const wanted = async (routerId: number) =>
  (await readConnectionDetails(testApp.db, testApp.deps, { routerId }))[0]!.password
const put = (userId: number, password: string | null) =>
  testApp.call(userId, 'PUT', '/api/transit_connection', { password })
/** Stores the password in plaintext, as an earlier release did. */
const leaveInClear = (userId: number, password: string) =>
  testApp.db
    .updateTable('transit_connections')
    .set({ password, encrypted_password: null })
    .where('account_id', '=', accountIdOf(userId))
    .execute()

test('a password is in no row in clear, and reaches the edge and the router', async () => {
  const { userId, routerId } = await testApp.addConnected(620_001)
  expect((await put(userId, 'hunter2-secret')).body.hasPassword).toBe(true)
  const row = await rowOf(userId)
  expect(row.password).toBeNull()
  expect(row.encrypted_password!.includes('hunter2-secret')).toBe(false)
  expect(await wanted(routerId)).toBe('hunter2-secret')
  expect((await guestConfig(testApp.db, routerId, testApp.deps)).birdConf).toContain('password "hunter2-secret";')
  expect((await put(userId, null)).body.hasPassword).toBe(false)
  expect(await wanted(routerId)).toBeNull()
})

test('one of an earlier release works as before and is sealed by the worker, once', async () => {
  const { userId, routerId } = await testApp.addConnected(620_002)
  await leaveInClear(userId, 'old-secret')
  expect(await wanted(routerId)).toBe('old-secret')
  expect((await testApp.call(userId, 'GET', '/api/transit_connection')).body.hasPassword).toBe(true)
  const sealer = passwordSealer(testApp.deps)
  await Promise.all([testApp.settle(sealer), testApp.settle(sealer)])
  expect((await rowOf(userId)).password).toBeNull()
  expect(await wanted(routerId)).toBe('old-secret')
  expect(await sealer.due()).toEqual([])
})

test('the worker never puts an old password over one that was set meanwhile', async () => {
  const { userId, routerId } = await testApp.addConnected(620_003)
  for (let round = 0; round < 20; round++) {
    await leaveInClear(userId, 'old-secret')
    const { id } = await rowOf(userId)
    await Promise.all([
      passwordSealer(testApp.deps).reconcile(id, AbortSignal.timeout(5_000)),
      put(userId, `new-secret-${round}`),
    ])
    expect(await wanted(routerId)).toBe(`new-secret-${round}`)
  }
})

test('a sealed password opens in its own row alone, under its own key alone', async () => {
  const [one, other] = [await testApp.addConnected(620_004), await testApp.addConnected(620_005)]
  await put(one.userId, 'hunter2-secret')
  const { encrypted_password } = await rowOf(one.userId)
  await expect(
    readConnectionDetails(testApp.db, { secretKey: 'another key' }, { routerId: one.routerId }),
  ).rejects.toThrow(/SECRET_KEY/)
  await testApp.db
    .updateTable('transit_connections')
    .set({ encrypted_password })
    .where('account_id', '=', accountIdOf(other.userId))
    .execute()
  await expect(wanted(other.routerId)).rejects.toThrow(/SECRET_KEY/)
})
