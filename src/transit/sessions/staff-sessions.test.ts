import { beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import type { StaffSession } from '../contract.ts'
import { createTransitTestApp } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge())
const { db, call } = testApp
const edge = await db.selectFrom('transit_edges').select('id').executeTakeFirstOrThrow()
let staff: number

/** A customer whose sessions the edge reported. */
async function addSessions(asn: number, sessions: { family: 4 | 6; state: StaffSession['state']; since: string }[]) {
  const userId = await testApp.addUser({ asn, verified: true })
  const { id } = await db
    .insertInto('transit_connections')
    .values({ user_id: userId, edge_id: edge.id } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { family, state, since } of sessions) {
    await db
      .insertInto('transit_sessions')
      .values({
        connection_id: id,
        family,
        state,
        since: new Date(since),
        received: 5,
        accepted: 4,
        exported: 1,
        last_error: state === 'ESTABLISHED' ? null : 'Hold timer expired',
      })
      .execute()
  }
  return { userId, id }
}

const list = async (query = '') => (await call(staff, 'GET', `/api/admin/sessions${query}`)).body
const keys = (sessions: readonly StaffSession[]) => sessions.map(({ asn, family }) => `${asn} v${family}`)

describe('sessions of all customers', () => {
  beforeAll(async () => {
    staff = await testApp.addUser({ isAdmin: true })
    const first = await addSessions(500_010, [
      { family: 4, state: 'ESTABLISHED', since: '2026-11-01T00:00:00Z' },
      { family: 6, state: 'CONNECT', since: '2026-11-03T00:00:00Z' },
    ])
    await addSessions(500_020, [
      { family: 4, state: 'ACTIVE', since: '2026-11-02T00:00:00Z' },
      { family: 6, state: 'DISABLED', since: '2026-11-02T00:00:00Z' },
    ])
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    for (const [hours, from, to] of [
      [30, 'ESTABLISHED', 'IDLE'],
      [3, 'ESTABLISHED', 'IDLE'],
      [2, 'IDLE', 'ESTABLISHED'],
      [1, 'ESTABLISHED', 'CONNECT'],
    ] as const) {
      await db
        .insertInto('transit_session_events')
        .values({
          connection_id: first.id,
          family: 6,
          at: hoursAgo(hours),
          from_state: from,
          to_state: to,
          error: null,
        })
        .execute()
    }
  })

  test('are listed with the latest change first, and counted', async () => {
    const { sessions, counts, next } = await list()
    expect(keys(sessions)).toEqual(['500010 v6', '500020 v6', '500020 v4', '500010 v4'])
    expect(counts).toEqual({ down: 2, established: 1, disabled: 1, unknown: 0 })
    expect(next).toBeNull()
    expect(sessions[0]).toMatchObject({
      state: 'CONNECT',
      stateKnown: true,
      since: '2026-11-03T00:00:00.000Z',
      flaps: 2,
      lastError: 'Hold timer expired',
      received: 5,
      accepted: 4,
      receiveLimit: 200,
      edge: { id: edge.id },
      router: null,
    })
  })

  test('are narrowed to those that are down, established or disabled', async () => {
    expect(keys((await list('?status=DOWN')).sessions)).toEqual(['500010 v6', '500020 v4'])
    expect(keys((await list('?status=ESTABLISHED')).sessions)).toEqual(['500010 v4'])
    expect(keys((await list('?status=DISABLED')).sessions)).toEqual(['500020 v6'])
    expect((await call(staff, 'GET', '/api/admin/sessions?status=UP')).status).toBe(422)
  })

  test('are found by ASN and by words of the customer', async () => {
    expect(keys((await list('?search=AS500020')).sessions)).toEqual(['500020 v6', '500020 v4'])
    expect((await list('?search=example')).sessions).toHaveLength(4)
    expect((await list('?search=nothing')).sessions).toEqual([])
    expect((await list('?search=%25')).sessions).toEqual([])
  })

  test('come in pages that neither repeat nor leave out any', async () => {
    const seen: string[] = []
    let after: string | null = null
    do {
      const { sessions, next }: { sessions: StaffSession[]; next: string | null } = await list(
        `?limit=1${after ? `&after=${after}` : ''}`,
      )
      seen.push(...keys(sessions))
      after = next
    } while (after)
    expect(seen).toEqual(['500010 v6', '500020 v6', '500020 v4', '500010 v4'])
    expect((await call(staff, 'GET', '/api/admin/sessions?after=x')).status).toBe(422)
  })

  test('are unknown while the edge does not respond', async () => {
    await db.updateTable('transit_edges').set({ error_kind: 'unreachable', error: 'gone' }).execute()
    const { sessions, counts } = await list()
    expect(sessions.map(({ stateKnown }: StaffSession) => stateKnown)).toEqual([false, false, false, false])
    expect(counts).toEqual({ down: 0, established: 0, disabled: 0, unknown: 4 })
    expect((await list('?status=UNKNOWN')).sessions).toHaveLength(4)
    expect((await list('?status=ESTABLISHED')).sessions).toEqual([])
    await db.updateTable('transit_edges').set({ error_kind: null, error: null }).execute()
  })

  test('are for staff alone', async () => {
    expect((await call(await testApp.addUser(), 'GET', '/api/admin/sessions')).status).toBe(403)
  })
})
