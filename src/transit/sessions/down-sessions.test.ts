import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import type { SessionState } from '../../drivers/edge/index.ts'
import { createTransitTestApp } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge())
const { db, call } = testApp
const edge = await db.selectFrom('transit_edges').select(['id', 'name']).executeTakeFirstOrThrow()
let staff: number

interface Row {
  readonly family: 4 | 6
  readonly state: SessionState
  readonly downSince?: string
}

/** A customer whose sessions the edge reported. */
async function addSessions(asn: number, sessions: readonly Row[], enabled = true) {
  const userId = await testApp.addUser({ asn, verified: true })
  const { id } = await db
    .insertInto('transit_connections')
    .values({ account_id: accountIdOf(userId), edge_id: edge.id, enabled } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { family, state, downSince } of sessions) {
    await db
      .insertInto('transit_sessions')
      .values({
        connection_id: id,
        family,
        state,
        since: new Date('2026-11-01T00:00:00Z'),
        received: 0,
        accepted: 0,
        exported: 0,
        last_error: state === 'IDLE' ? 'Hold timer expired' : null,
        down_since: downSince ? new Date(downSince) : null,
      })
      .execute()
  }
  return { userId, id }
}

const read = async () => (await call(staff, 'GET', '/api/admin/sessions/down')).body

describe('the sessions that are down', () => {
  beforeAll(async () => {
    staff = await testApp.addUser({ isAdmin: true })
  })

  test('are none without sessions', async () => {
    expect(await read()).toEqual({
      counts: { established: 0, down: 0, neverUp: 0, disabled: 0, unknown: 0 },
      latest: [],
    })
  })

  test('are counted apart from those that were never up and those that were switched off', async () => {
    const first = await addSessions(500_010, [
      { family: 4, state: 'ESTABLISHED' },
      { family: 6, state: 'IDLE', downSince: '2026-11-03T00:00:00Z' },
    ])
    await addSessions(500_020, [
      { family: 4, state: 'ACTIVE' },
      { family: 6, state: 'DISABLED' },
    ])
    // The customer has just shut it down, and the edge has not closed it yet.
    await addSessions(500_030, [{ family: 4, state: 'CONNECT', downSince: '2026-11-04T00:00:00Z' }], false)
    const { counts, latest } = await read()
    expect(counts).toEqual({ established: 1, down: 1, neverUp: 1, disabled: 2, unknown: 0 })
    expect(latest).toEqual([
      {
        customer: expect.objectContaining({ id: first.userId }),
        asn: 500_010,
        router: null,
        edge,
        family: 6,
        downSince: '2026-11-03T00:00:00.000Z',
        lastError: 'Hold timer expired',
        overLimit: false,
      },
    ])
  })

  test('are at most five, the last that went down first, and say when a route limit closed them', async () => {
    for (let day = 4; day <= 9; day++) {
      const { id } = await addSessions(500_040 + day, [
        { family: 4, state: 'IDLE', downSince: `2026-11-0${day}T00:00:00Z` },
      ])
      if (day !== 8) continue
      await db
        .insertInto('transit_limit_trips')
        .values({ connection_id: id, family: 4, tripped_at: new Date(), receive_limit: 9 })
        .execute()
    }
    const { counts, latest } = await read()
    expect(counts.down).toBe(7)
    expect(latest.map(({ asn }: { asn: number }) => asn)).toEqual([500_049, 500_048, 500_047, 500_046, 500_045])
    expect(latest.map(({ overLimit }: { overLimit: boolean }) => overLimit)).toEqual([false, true, false, false, false])
  })

  test.each([
    ['does not respond', { error_kind: 'unreachable' as const, error: 'gone' }],
    ['has no agent', { slug: 'another' }],
  ])('are unknown while the edge %s', async (_, change) => {
    const before = await db
      .selectFrom('transit_edges')
      .select(['slug', 'error_kind', 'error'])
      .executeTakeFirstOrThrow()
    await db.updateTable('transit_edges').set(change).execute()
    expect(await read()).toEqual({
      counts: { established: 0, down: 0, neverUp: 0, disabled: 0, unknown: 11 },
      latest: [],
    })
    await db.updateTable('transit_edges').set(before).execute()
    expect((await read()).counts.unknown).toBe(0)
  })

  test('are for staff alone', async () => {
    const customer = await testApp.addUser()
    expect((await call(customer, 'GET', '/api/admin/sessions/down')).status).toBe(403)
  })
})
