import { accountIdOf } from '../../platform/db/testing.ts'
import { expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { createTransitTestApp } from '../testing.ts'
import { routerSessionStates } from './session-view.ts'

const testApp = await createTransitTestApp(createSimulatedEdge())
const { db } = testApp
const SINCE = new Date('2026-03-01T03:12:00Z')

async function addSessions(userId: number): Promise<void> {
  const { id } = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  const row = { connection_id: id, received: 1, accepted: 1, exported: 1, since: SINCE }
  await db
    .insertInto('transit_sessions')
    .values([
      { ...row, family: 6, state: 'ESTABLISHED', last_error: null, down_since: null },
      { ...row, family: 4, state: 'IDLE', last_error: 'Hold timer expired', down_since: SINCE },
    ])
    .execute()
}

test('an account is told of the sessions of its own router alone: their states, and what is down since when', async () => {
  const own = await testApp.addConnected(500_010)
  const other = await testApp.addConnected(500_011)
  await addSessions(own.userId)
  await addSessions(other.userId)
  const states = await routerSessionStates(db, accountIdOf(own.userId))
  expect([...states.keys()]).toEqual([own.routerId])
  expect(states.get(own.routerId)).toEqual([
    {
      family: 4,
      state: 'IDLE',
      stateKnown: true,
      downSince: SINCE.toISOString(),
      lastError: 'Hold timer expired',
    },
    { family: 6, state: 'ESTABLISHED', stateKnown: true, downSince: null, lastError: null },
  ])
  expect(await routerSessionStates(db, accountIdOf(await testApp.addCustomer()))).toEqual(new Map())

  await db
    .updateTable('transit_connections')
    .set({ enabled: false })
    .where('account_id', '=', accountIdOf(own.userId))
    .execute()
  expect((await routerSessionStates(db, accountIdOf(own.userId))).get(own.routerId)).toMatchObject([
    { family: 4, state: 'DISABLED', downSince: null },
    { family: 6, state: 'DISABLED', downSince: null },
  ])
})
