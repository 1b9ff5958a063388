import { accountIdOf } from '../../platform/db/testing.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import type { SessionState } from '../../drivers/edge/index.ts'
import type { StaffTopology } from '../contract.ts'
import { createTransitTestApp, type LabSite } from '../testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge())
const { db, call } = testApp
const edge = await db.selectFrom('transit_edges').select(['id', 'name']).executeTakeFirstOrThrow()
let staff: number
let lab: LabSite
let frankfurt: LabSite

/** A customer with a router at a site, whose sessions the edge reported. */
async function addSessions(
  asn: number,
  place: LabSite | null,
  sessions: readonly { family: 4 | 6; state: SessionState; downSince?: string }[],
) {
  const userId = await testApp.addUser({ asn, verified: true })
  const router = place && (await testApp.addRouter(userId, place))
  const { id } = await db
    .insertInto('transit_connections')
    .values({ account_id: accountIdOf(userId), edge_id: edge.id, router_id: router } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('transit_sessions')
    .values(
      sessions.map(({ family, state, downSince }) => ({
        connection_id: id,
        family,
        state,
        since: new Date('2026-11-01T00:00:00Z'),
        received: 0,
        accepted: 0,
        exported: 0,
        last_error: state === 'IDLE' ? 'Hold timer expired' : null,
        down_since: downSince ? new Date(downSince) : null,
      })),
    )
    .execute()
  return { userId, router }
}

const read = async (): Promise<StaffTopology> => (await call(staff, 'GET', '/api/admin/topology')).body

const down = (day: number) =>
  ({ state: 'IDLE', downSince: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z` }) as const

afterAll(() => testApp.close())

describe('the topology for staff', () => {
  beforeAll(async () => {
    staff = await testApp.addUser({ isAdmin: true })
    lab = await testApp.lab()
    frankfurt = await testApp.addLabSite({ slug: 'fra1-hv1', name: 'Frankfurt', segment: 114 })
  })

  test('names the configured upstreams and each edge before it has sessions', async () => {
    expect(await read()).toEqual({
      upstreams: [{ asn: 500_001, name: 'Lab Upstream' }],
      edges: [
        {
          id: edge.id,
          counts: { established: 0, down: 0, neverUp: 0, disabled: 0, unknown: 0 },
          prefixes: { accepted: 0, announced: 0 },
          groups: [],
          hidden: 0,
        },
      ],
      down: [],
    })
  })

  test('counts sessions by hypervisor, the one with the most sessions down first, and names those', async () => {
    await addSessions(500_010, lab, [
      { family: 4, state: 'ESTABLISHED' },
      { family: 6, state: 'ESTABLISHED' },
    ])
    const failing = await addSessions(500_020, frankfurt, [
      { family: 4, state: 'ESTABLISHED' },
      { family: 6, ...down(3) },
    ])
    await addSessions(500_030, frankfurt, [
      { family: 4, state: 'ACTIVE' },
      { family: 6, state: 'DISABLED' },
    ])
    const { edges, down: named } = await read()
    expect(edges[0]).toMatchObject({
      counts: { established: 3, down: 1, neverUp: 1, disabled: 1, unknown: 0 },
      groups: [
        {
          site: { id: frankfurt.site, name: 'Frankfurt' },
          hypervisor: { id: frankfurt.hypervisor, name: 'Frankfurt' },
          routers: 2,
          counts: { established: 1, down: 1, neverUp: 1, disabled: 1, unknown: 0 },
        },
        {
          site: { id: lab.site },
          hypervisor: { id: lab.hypervisor, name: 'Lab' },
          routers: 1,
          counts: { established: 2, down: 0, neverUp: 0, disabled: 0, unknown: 0 },
        },
      ],
    })
    expect(named).toEqual([
      {
        customer: expect.objectContaining({ id: failing.userId }),
        asn: 500_020,
        router: { id: failing.router, name: expect.stringMatching(/^router-/) },
        edge,
        hypervisor: { id: frankfurt.hypervisor, name: 'Frankfurt' },
        family: 6,
        downSince: '2026-11-03T00:00:00.000Z',
        lastError: 'Hold timer expired',
        overLimit: false,
      },
    ])
  })

  test('says of a session whose router is gone that its place is not known', async () => {
    await addSessions(500_040, null, [{ family: 4, ...down(1) }])
    const { edges, down: named } = await read()
    expect(edges[0]!.groups).toContainEqual({
      site: null,
      hypervisor: null,
      routers: 0,
      counts: { established: 0, down: 1, neverUp: 0, disabled: 0, unknown: 0 },
    })
    expect(named.at(-1)).toMatchObject({ asn: 500_040, router: null, hypervisor: null })
  })

  test('names three sessions of each hypervisor at most, so that one that fails hides no other', async () => {
    for (let day = 5; day <= 9; day++) await addSessions(500_050 + day, lab, [{ family: 4, ...down(day) }])
    const { edges, down: named } = await read()
    expect(edges[0]!.groups[0]).toMatchObject({ hypervisor: { name: 'Lab' }, counts: { down: 5 } })
    expect(named.map(({ asn }) => asn)).toEqual([500_059, 500_058, 500_057, 500_020, 500_040])
  })

  test('counts the prefixes that an edge accepts, and those of them that it announces', async () => {
    const userId = await testApp.addUser({ asn: 500_070, verified: true })
    const at = new Date('2026-11-01T00:00:00Z')
    const prefix = (value: string, seen: object) => ({
      account_id: accountIdOf(userId),
      value,
      status: 'APPROVED' as const,
      announcement_type: 'ORIGIN' as const,
      imported_at: at,
      imported_edge: edge.id,
      ...seen,
    })
    await db
      .insertInto('transit_prefixes')
      .values([
        prefix('45.80.1.0/24', { accepted_at: at, exported_at: at }),
        prefix('45.80.2.0/24', { accepted_at: at }),
        prefix('45.80.3.0/24', {}),
        prefix('45.80.4.0/24', { announcement_type: 'STATIC', exported_at: at }),
      ] as never)
      .execute()
    expect((await read()).edges[0]!.prefixes).toEqual({ accepted: 3, announced: 2 })
  })

  test('stays small with thousands of routers on more hypervisors than are shown', async () => {
    const { site, plan, image } = lab
    await sql`insert into hypervisors (slug, name, site_id, driver, cpus, memory, disk)
      select 'rack-' || n, 'rack-' || n, ${site}, 'simulated', 9, 9, 9 from generate_series(1, 150) n`.execute(db)
    await sql`insert into users (email, first_name, last_name, password_hash, staff_roles, email_verified_at)
      select 'many-' || n || '@example.net', 'Ann', 'Many', '-', '{}', now() from generate_series(1, 3000) n`.execute(
      db,
    )
    await sql`insert into routers (account_id, name, site_id, hypervisor_id, plan_id, image_id, cpus, memory, disk_size)
      select account_id, 'many-' || id, ${site},
        (select id from hypervisors where slug = 'rack-' || (1 + users.id % 150)), ${plan}, ${image}, 1, 256, 1
      from users where last_name = 'Many'`.execute(db)
    await sql`insert into transit_connections (account_id, edge_id, router_id)
      select account_id, ${edge.id}, id from routers where name like 'many-%'`.execute(db)
    await sql`insert into transit_sessions (connection_id, family, state, received, accepted, exported, down_since)
      select connection.id, family, 'IDLE', 0, 0, 0, now() from transit_connections connection
      join routers on routers.id = connection.router_id, (values (4), (6)) as families (family)
      where routers.name like 'many-%'`.execute(db)
    const topology = await read()
    expect(topology.edges[0]!.counts.down).toBe(6_007)
    expect(topology.edges[0]!.groups).toHaveLength(100)
    expect(topology.edges[0]!.hidden).toBe(53)
    expect(topology.down).toHaveLength(60)
    expect(JSON.stringify(topology).length).toBeLessThan(60_000)
  })

  test.each([
    ['does not respond', { error_kind: 'unreachable' as const, error: 'gone' }],
    ['has no agent', { slug: 'another' }],
  ])('claims nothing of the sessions of an edge that %s', async (_, change) => {
    const before = await db
      .selectFrom('transit_edges')
      .select(['slug', 'error_kind', 'error'])
      .executeTakeFirstOrThrow()
    await db.updateTable('transit_edges').set(change).execute()
    const { edges, down: named } = await read()
    expect(edges[0]!.counts).toEqual({ established: 0, down: 0, neverUp: 0, disabled: 0, unknown: 6_012 })
    expect(named).toEqual([])
    await db.updateTable('transit_edges').set(before).execute()
  })

  test('finds sessions by the name of the hypervisor or of the edge', async () => {
    const find = async (search: string) =>
      (await call(staff, 'GET', `/api/admin/sessions?limit=200&search=${encodeURIComponent(search)}`)).body.sessions
    expect(await find('rack-77')).toHaveLength(40)
    expect(await find(edge.name)).toHaveLength(200)
    expect(await find('rack-nothing')).toEqual([])
  })

  test('is for staff alone', async () => {
    expect((await call(await testApp.addUser(), 'GET', '/api/admin/topology')).status).toBe(403)
  })
})
