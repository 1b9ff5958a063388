import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { readConnectionDetails } from '../configuration/connection-facts.ts'
import { guestConfig } from '../configuration/guest/guest-config.ts'
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

test('a password is in no row in clear, and reaches the edge and the router', async () => {
  const { userId, routerId } = await testApp.addConnected(620_001)
  expect((await put(userId, 'hunter2-secret')).body.hasPassword).toBe(true)
  const row = await rowOf(userId)
  expect(row.encrypted_password!.includes('hunter2-secret')).toBe(false)
  expect(await wanted(routerId)).toBe('hunter2-secret')
  expect((await guestConfig(testApp.db, routerId, testApp.deps)).birdConf).toContain('password "hunter2-secret";')
  expect((await put(userId, null)).body.hasPassword).toBe(false)
  expect(await wanted(routerId)).toBeNull()
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
