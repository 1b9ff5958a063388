import { accountIdOf } from '../../platform/db/testing.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { EdgeSession, SessionState } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { readConnectionDetails } from '../configuration/connection-facts.ts'
import { edgeReconciler } from '../configuration/edge-job.ts'
import { sessionReconciler } from '../sessions/session-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { controlTimers } from './timers.ts'

let reported: { family: 4 | 6; state: SessionState; since: Date }[] = []
let connectionId = 0
const sessions = async (): Promise<EdgeSession[]> =>
  reported.map((one) => ({ customerId: connectionId, received: 0, accepted: 0, exported: 0, lastError: null, ...one }))
const testApp = await createTransitTestApp({ ...createSimulatedEdge(), sessions })
const { db, call, deps } = testApp
afterAll(() => testApp.close())

let asn = 640_000
let userId: number
let routerId: number
beforeEach(async () => {
  ;({ userId, routerId } = await testApp.addConnected(++asn))
  await call(userId, 'PUT', '/api/transit_connection', { password: 'old-key' })
  await testApp.settle(edgeReconciler(deps))
  const row = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  connectionId = row.id
  await observe('ESTABLISHED', -60)
})

/** Reports both sessions in this state, since that many minutes from now. */
const observe = async (state: SessionState, minutes: number) => {
  const since = new Date(Date.now() + minutes * 60_000)
  reported = ([4, 6] as const).map((family) => ({ family, state, since }))
  await testApp.settle(sessionReconciler(deps))
}
const timers = (minutesLater: number) =>
  testApp.settle(controlTimers({ ...deps, clock: { now: () => new Date(Date.now() + minutesLater * 60_000) } }))
const plan = (at?: Date) =>
  call(userId, 'PUT', '/api/transit_connection/password_change', {
    password: 'new-key',
    ...(at && { at: at.toISOString() }),
  })
const start = () => call(userId, 'POST', '/api/transit_connection/password_change/start')
const state = async () => (await call(userId, 'GET', '/api/transit_connection')).body.passwordChange?.state ?? null
/** The keys that the edge and the router get. */
const inUse = async () => (await readConnectionDetails(db, deps, { routerId }))[0]!.password

test('a new key waits until the router has it, and is kept once the sessions came up with it', async () => {
  expect((await plan()).body.passwordChange).toMatchObject({ state: 'PLANNED', at: null })
  await timers(600)
  expect(await inUse()).toBe('old-key')
  expect((await start()).body.passwordChange.state).toBe('TRIAL')
  expect((await start()).status).toBe(200)
  expect(await inUse()).toBe('new-key')
  // The sessions are still those of the old key.
  await timers(1)
  expect(await state()).toBe('TRIAL')
  await observe('ESTABLISHED', 1)
  await timers(2)
  expect(await state()).toBe('KEPT')
  expect(await inUse()).toBe('new-key')
  expect((await testApp.emails(userId)).length).toBe(0)
})

test('a new key goes back to the old one after five minutes in which no session came up', async () => {
  await plan()
  await start()
  await observe('CONNECT', 0)
  await timers(4.9)
  expect(await inUse()).toBe('new-key')
  await timers(5.1)
  expect(await state()).toBe('RETURNED')
  expect(await inUse()).toBe('old-key')
  expect((await testApp.emails(userId)).map(({ subject }) => subject)).toEqual([
    'New MD5 key not used: no session came up',
  ])
  expect((await start()).body.code).toBe('invalid_state')
})

test('a new key with a time is taken at that time, and not before', async () => {
  await plan(new Date(Date.now() + 30 * 60_000))
  await timers(29)
  expect(await inUse()).toBe('old-key')
  await timers(31)
  expect(await inUse()).toBe('new-key')
})

test('a new key on trial cannot be replaced, and can be canceled', async () => {
  await plan()
  await start()
  expect((await plan()).body.code).toBe('invalid_state')
  expect((await call(userId, 'PUT', '/api/transit_connection', { password: 'third' })).status).toBe(409)
  const cancelled = await call(userId, 'DELETE', '/api/transit_connection/password_change')
  expect(cancelled.body.passwordChange).toBeNull()
  expect(await inUse()).toBe('old-key')
})

test('no key is in an answer, in the audit log, or in a row in clear', async () => {
  await plan()
  const answers = JSON.stringify([(await start()).body, (await call(userId, 'GET', '/api/transit_connection')).body])
  const events = await db
    .selectFrom('audit_events')
    .select('data')
    .where('account_id', '=', accountIdOf(userId))
    .execute()
  const row = await db
    .selectFrom('transit_connections')
    .selectAll()
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  expect(answers + JSON.stringify(events)).not.toContain('new-key')
  expect(row.next_encrypted_password!.includes('new-key')).toBe(false)
})
