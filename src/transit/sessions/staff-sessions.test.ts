import { sql } from 'kysely'
import { accountIdOf } from '../../platform/db/testing.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { watchPlans } from '../../admin/testing-plans.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import type { StaffSession } from '../contract.ts'
import { SESSION_FILTERS, SESSION_SORTS, type SessionSortColumn } from '../states.ts'
import { createTransitTestApp } from '../testing.ts'
import { countFlaps, forgetFlaps } from './flaps.ts'
import { pageOfSessions } from './staff-sessions.ts'

const testApp = await createTransitTestApp(createSimulatedEdge())
const { db, call } = testApp
const edge = await db.selectFrom('transit_edges').select('id').executeTakeFirstOrThrow()
let staff: number

/** A customer whose sessions the edge reported. */
async function addSessions(asn: number, sessions: { family: 4 | 6; state: StaffSession['state']; since: string }[]) {
  const userId = await testApp.addUser({ asn, verified: true })
  const { id } = await db
    .insertInto('transit_connections')
    .values({ account_id: accountIdOf(userId), edge_id: edge.id } as never)
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
    await countFlaps(db, new Date(), { connection_id: first.id, family: 6 })
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

describe('the order of sessions', () => {
  const since = `coalesce(session.since, 'epoch')`
  const KEYS: Readonly<Record<SessionSortColumn, readonly string[]>> = {
    since: [since],
    state: [`array_position(array['CONNECT', 'DISABLED', 'ESTABLISHED'], session.state)`, since],
    flaps: ['session.flaps'],
    edge: ['connection.edge_id'],
  }

  beforeAll(async () => {
    await db.deleteFrom('transit_connections').execute()
    await sql`insert into users (email, password_hash, first_name, last_name)
      select 'net' || n || '@example.net', 'x', 'Net', 'Work' from generate_series(1, 1200) n`.execute(db)
    await sql`insert into transit_edges (slug, name) select 'more-' || n, 'More ' || n from generate_series(1, 3) n`.execute(
      db,
    )
    await sql`insert into transit_connections (account_id, edge_id)
      select u.account_id, (select id from transit_edges order by id limit 1 offset u.id % 4) from users u where email like 'net%'`.execute(
      db,
    )
    await sql`insert into transit_sessions (connection_id, family, state, since, received, accepted, exported, flaps)
      select id, family, (array['ESTABLISHED', 'CONNECT', 'DISABLED'])[1 + id % 3],
        case when id % 50 > 0 then '2026-11-01'::timestamptz + (id % 97) * interval '1 hour' + interval '1 microsecond' end,
        0, 0, 0, id % 5
      from transit_connections, unnest(array[4, 6]) family`.execute(db)
    await sql`vacuum analyze transit_sessions, transit_connections`.execute(db)
  })

  test.each(SESSION_SORTS)('%s gives each session once, page after page', async (sort) => {
    const seen: string[] = []
    for (let after: string | undefined; ;) {
      const page = await pageOfSessions(db, { sort, limit: 170, after })
      seen.push(...page.sessions.map(({ customer, family }) => `${customer.id} ${family}`))
      if (page.next === null) break
      after = page.next
    }
    const direction = sort.startsWith('-') ? 'desc' : 'asc'
    const keys = KEYS[sort.replace('-', '') as SessionSortColumn]
    const { rows } = await sql<{ key: string }>`
      select users.id || ' ' || session.family as key
      from transit_sessions session join transit_connections connection on connection.id = session.connection_id
      join users on users.account_id = connection.account_id
      order by ${sql.raw([...keys, 'session.connection_id', 'session.family'].map((key) => `${key} ${direction}`).join(', '))}`.execute(
      db,
    )
    expect(seen).toHaveLength(2_400)
    expect(seen).toEqual(rows.map(({ key }) => key))
  })

  test.each(SESSION_SORTS)('%s comes from an index, which the page enters where the one before ended', async (sort) => {
    const { watched, plansOf } = watchPlans(testApp.database.pool)
    const { next } = await pageOfSessions(db, { sort, limit: 50 })
    const plan = await plansOf(() => pageOfSessions(watched, { sort, limit: 50, after: next! }))
    const which = plan.slice(plan.indexOf('Limit'), plan.indexOf('\nHashAggregate'))
    const index = sort.endsWith('edge') ? 'transit_connections_edge' : `transit_sessions_by_${sort.replace('-', '')}`
    expect(which).toMatch(
      new RegExp(`Index (?:Only )?Scan (?:Backward )?using ${index} [\\s\\S]{0,300}?Index Cond: \\(ROW\\(`),
    )
    expect(which).not.toMatch(/Seq Scan on transit_(?:sessions|connections)/)
  })

  test('the list of one state is read from the index of states', async () => {
    const { watched, plansOf } = watchPlans(testApp.database.pool)
    const plan = await plansOf(() => pageOfSessions(watched, { status: 'DOWN', limit: 50 }))
    expect(plan).toMatch(/using transit_sessions_by_state/)
  })

  test.each(SESSION_FILTERS)('the list of the filter %s has as many sessions as its count says', async (status) => {
    await sql`update transit_connections set enabled = id % 7 > 0`.execute(db)
    const { sessions, counts } = await pageOfSessions(db, { status, limit: 10_000 })
    expect(sessions).toHaveLength(counts[status.toLowerCase() as Lowercase<typeof status>])
    await sql`update transit_connections set enabled = true`.execute(db)
  })

  test('is asked by header, and a page of another order is refused', async () => {
    const { sessions, next } = await list('?sort=state&limit=1')
    expect(sessions[0].state).toBe('CONNECT')
    expect((await call(staff, 'GET', `/api/admin/sessions?sort=flaps&after=${next}`)).body.errors).toEqual([
      { field: 'after', message: 'is a page of another order' },
    ])
    expect((await call(staff, 'GET', '/api/admin/sessions?sort=received')).status).toBe(422)
    const beyondAll = '9999999999999999-9999999999999999-4'
    expect((await list(`?sort=flaps&after=${beyondAll}`)).sessions).toEqual([])
  })
})

test('flaps are forgotten one by one as each is 24 hours ago', async () => {
  const { id } = await addSessions(500_030, [{ family: 4, state: 'ESTABLISHED', since: '2026-11-01T00:00:00Z' }])
  const now = Date.now()
  for (const hours of [20, 10]) {
    await db
      .insertInto('transit_session_events')
      .values({
        connection_id: id,
        family: 4,
        at: new Date(now - hours * 3_600_000),
        from_state: 'ESTABLISHED',
        to_state: 'IDLE',
        error: null,
      })
      .execute()
  }
  await countFlaps(db, new Date(now), { connection_id: id, family: 4 })
  const after = async (hours: number) => {
    await forgetFlaps(db, edge.id, new Date(now + hours * 3_600_000))
    return (await list('?search=AS500030')).sessions[0].flaps
  }
  expect([await after(0), await after(5), await after(15), await after(16)]).toEqual([2, 1, 0, 0])
})
