import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EdgeSession, SessionState } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { edgeReconciler } from '../configuration/edge-job.ts'
import { createTransitTestApp } from '../testing.ts'
import { sessionReconciler } from './session-job.ts'

let reported: Partial<EdgeSession>[] = []
let connection = 0
const sessions = async (): Promise<EdgeSession[]> =>
  reported.map((session) => ({
    customerId: connection,
    family: 4,
    state: 'ESTABLISHED',
    lastError: null,
    since: null,
    received: 0,
    accepted: 0,
    exported: 0,
    ...session,
  }))
const testApp = await createTransitTestApp({ ...createSimulatedEdge(), sessions })
const { db, call, deps } = testApp

const began = Date.parse('2026-11-23T22:00:00Z')
let seconds = 0
/** The edge reports this, that many seconds after its last report. */
const look = async (next: typeof reported, later = 2) => {
  reported = next
  seconds += later
  const clock = { now: () => new Date(began + seconds * 1000) }
  await sessionReconciler({ ...deps, clock }).reconcile(await edgeId(), AbortSignal.timeout(10_000))
}
const edgeId = async () => (await db.selectFrom('transit_edges').select('id').executeTakeFirstOrThrow()).id
const at = (second: number) => new Date(began + second * 1000)
const history = async () => {
  const { events } = (await call(userId, 'GET', '/api/transit_connection/events?limit=200')).body
  return (events as { family: number; from: string; to: string; error: string | null }[])
    .toReversed()
    .map(({ family, from, to, error }) => `IPv${family} ${from} ${to}${error === null ? '' : `: ${error}`}`)
}
const flaps = async () =>
  (await db.selectFrom('transit_sessions').select('flaps').where('connection_id', '=', connection).execute()).map(
    (row) => row.flaps,
  )
const webhooks = async () =>
  (
    await db
      .selectFrom('outgoing_events')
      .select('type')
      .where('account_id', '=', accountIdOf(userId))
      .orderBy('id')
      .execute()
  )
    .map(({ type }) => type)
    .filter((type) => type.startsWith('session.'))

let userId: number
let asn = 500_510
beforeEach(async () => {
  ;({ userId } = await testApp.addConnected(asn++))
  await testApp.settle(edgeReconciler(deps))
  const row = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  connection = row.id
  seconds = 0
})

describe('the history of a session', () => {
  test('keeps an outage of which the router tries to come back all night', async () => {
    await look([{}])
    await look([{ state: 'IDLE' }])
    await look([{ state: 'CONNECT', lastError: 'BGP Error: Hold timer expired' }])
    const errors = ['Socket: Connection refused', 'Socket: Connection timed out', null]
    for (let round = 0; round < 60; round += 1) {
      const state: SessionState = round % 2 === 0 ? 'ACTIVE' : 'CONNECT'
      await look([{ state, lastError: errors[round % 3]! }])
    }
    await look([{}])
    expect(await history()).toEqual([
      'IPv4 null ESTABLISHED',
      'IPv4 ESTABLISHED IDLE',
      'IPv4 IDLE CONNECT: BGP Error: Hold timer expired',
      'IPv4 CONNECT ESTABLISHED',
    ])
    expect(await flaps()).toEqual([1])
  })

  test('tells a session that its owner disabled from one that was lost', async () => {
    await look([{}])
    await look([{ state: 'DISABLED' }])
    await look([{ state: 'IDLE' }])
    await look([{ state: 'CONNECT' }])
    await look([{}])
    expect(await history()).toEqual([
      'IPv4 null ESTABLISHED',
      'IPv4 ESTABLISHED DISABLED',
      'IPv4 DISABLED IDLE',
      'IPv4 CONNECT ESTABLISHED',
    ])
  })

  test('has a session that the edge was told to drop as disabled, not as up until it returns', async () => {
    await look([{}, { family: 6 }])
    await look([{}])
    await look([{}, { family: 6 }])
    expect((await history()).filter((line) => line.startsWith('IPv6'))).toEqual([
      'IPv6 null ESTABLISHED',
      'IPv6 ESTABLISHED DISABLED',
      'IPv6 null ESTABLISHED',
    ])
  })

  test('has a flap that began and ended between two looks at the edge', async () => {
    await look([{ since: at(-3600) }])
    await look([{ since: at(3) }])
    expect(await history()).toEqual(['IPv4 null ESTABLISHED', 'IPv4 ESTABLISHED IDLE', 'IPv4 IDLE ESTABLISHED'])
    expect(await flaps()).toEqual([1])
    expect(await webhooks()).toEqual(['session.up', 'session.down', 'session.up'])
  })

  test.each([
    ['by less than clocks are exact to', at(0), at(1)],
    ['though it came up long before the last look', at(-3600), at(-3500)],
    ['to an earlier time', at(0), at(-10)],
    ['to a time that the edge does not know', at(0), null],
  ])('has no flap of a session whose start moved %s', async (_, before, after) => {
    await look([{ since: before }])
    await look([{ since: after }])
    expect(await history()).toEqual(['IPv4 null ESTABLISHED'])
    expect(await flaps()).toEqual([0])
  })

  test('says when each session was down or disabled, to its owner and to staff', async () => {
    await look([{}, { family: 6, state: 'CONNECT' }], 0)
    await look(
      [
        { state: 'IDLE', lastError: 'Hold timer expired' },
        { family: 6, state: 'CONNECT' },
      ],
      60,
    )
    await look([{}, { family: 6, state: 'CONNECT' }], 120)
    await look([{ state: 'DISABLED' }, { family: 6, state: 'CONNECT' }], 60)
    const outages = {
      // The IPv6 session was never up.
      sessions: [
        {
          family: 4,
          knownSince: at(0).toISOString(),
          outages: [
            { id: expect.any(Number), from: at(240).toISOString(), to: null, error: null, intended: true },
            {
              id: expect.any(Number),
              from: at(60).toISOString(),
              to: at(180).toISOString(),
              error: 'Hold timer expired',
              intended: false,
            },
          ],
        },
      ],
    }
    expect(await call(userId, 'GET', '/api/transit_connection/outages')).toEqual({ status: 200, body: outages })
    const staff = await testApp.addUser({ isAdmin: true })
    const asStaff = (id: number) => call(staff, 'GET', `/api/admin/users/${id}/session_outages`)
    expect(await asStaff(userId)).toEqual({ status: 200, body: outages })
    expect(await asStaff(staff)).toEqual({ status: 200, body: { sessions: [] } })
    expect((await call(userId, 'GET', `/api/admin/users/${userId}/session_outages`)).status).toBe(403)
  })

  test('the history of one family is not pushed out by the other', async () => {
    await look([{}, { family: 6 }])
    const flap = {
      connection_id: connection,
      family: 6,
      at: at(0),
      from_state: 'IDLE',
      to_state: 'ACTIVE',
      error: null,
    }
    await db
      .insertInto('transit_session_events')
      .values(Array.from({ length: 700 }, () => flap as never))
      .execute()
    await look([{}, { family: 6, state: 'IDLE' }])
    const kept = await db
      .selectFrom('transit_session_events')
      .select(({ fn }) => ['family', fn.countAll<string>().as('count')])
      .where('connection_id', '=', connection)
      .groupBy('family')
      .orderBy('family')
      .execute()
    expect(kept.map(({ count }) => Number(count))).toEqual([1, 500])
  })
})
