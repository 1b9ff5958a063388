import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { eventually, OPERATOR, createTransitTestApp, type LabSite } from '../testing.ts'
import { accountIdOf, lockIsAwaited } from '../../platform/db/testing.ts'
import { acquireEdgeLease } from './leases.ts'
import { connectionsOn, newRouter, startEdge, startLeader, type Router } from './testing.ts'

const testApp = await createTransitTestApp(createSimulatedEdge({ sessionDelayMs: 0 }))
const { db, call } = testApp
/** Connections that both routers carried after some load. There must never be any while both are driven. */
const twice: number[] = []
const watchBoth = async () => {
  const [one, other] = await Promise.all([connectionsOn(ams), connectionsOn(fra)])
  if (watching) twice.push(...one.filter((id) => other.includes(id)))
}
let watching = true
const simulated = () => createSimulatedEdge({ sessionDelayMs: 0 })
const ams = newRouter('edge1', OPERATOR.routerId, simulated(), watchBoth)
const fra = newRouter('fra1-edge1', '192.0.2.9', simulated(), watchBoth)
const leader = startLeader(testApp)
const processes = { ams: await startEdge(testApp, ams), fra: await startEdge(testApp, fra) }
const staff = await testApp.addUser({ isAdmin: true })
const lab = await testApp.lab()
const frankfurt = await testApp.addLabSite({ slug: 'fra1', name: 'Frankfurt', segment: 114 })
afterAll(async () => {
  await processes.ams.end()
  await processes.fra.end()
  await leader.stop()
  await testApp.close()
})

let number = 0
/** A customer at a site with a prefix that staff have just approved. */
async function approvedAt(place: LabSite) {
  const asn = 553_000 + ++number
  const { userId, routerId } = await testApp.addConnected(asn, null, place)
  const value = `45.100.${number}.0/24`
  const id = await testApp.request(userId, value)
  const began = performance.now()
  const { body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
  const tookMs = performance.now() - began
  const { id: connection } = await db
    .selectFrom('transit_connections')
    .select('id')
    .where('account_id', '=', accountIdOf(userId))
    .executeTakeFirstOrThrow()
  return { userId, routerId, id, value, connection, answer: body, tookMs }
}

const edges = async () => (await call(staff, 'GET', '/api/admin/edges')).body
const edgeOf = async ({ slug }: Router) => (await edges()).edges.find((edge: { slug: string }) => edge.slug === slug)
const change = async (router: Router, body: object) =>
  call(staff, 'PATCH', `/api/admin/edges/${(await edgeOf(router)).id}`, body)
const own = (userId: number) => call(userId, 'GET', '/api/transit_connection')
const prefixOf = async (userId: number, id: number) => (await call(userId, 'GET', `/api/transit_prefixes/${id}`)).body
const stageOf = (prefix: { stages: { name: string }[] }, name: string) => prefix.stages.find((one) => one.name === name)

describe('a second edge', () => {
  test('is offered by its process before staff have added it, and until then the only one serves every site', async () => {
    await eventually(async () => processes.fra.isLeaseHolder() && processes.ams.isLeaseHolder())
    const { edges: known, unused, unserved } = await edges()
    expect(unused).toEqual(['fra1-edge1'])
    expect(unserved).toEqual([])
    expect(known).toMatchObject([
      { slug: 'edge1', kind: 'simulated', routerId: OPERATOR.routerId, process: { alive: true } },
    ])
    expect(known[0].sites.map(({ name }: { name: string }) => name)).toEqual(['Frankfurt', 'Lab'])
  })

  test('takes no site by being added, and the sites of the first stay with it', async () => {
    const { status, body } = await call(staff, 'POST', '/api/admin/edges', { slug: 'fra1-edge1', name: 'Frankfurt 1' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ sites: [], routerId: '192.0.2.9' })
    expect((await edgeOf(ams)).sites).toHaveLength(2)
    const called = { field: 'name', message: 'There is already an edge called "FRANKFURT 1".' }
    expect(await call(staff, 'POST', '/api/admin/edges', { slug: 'fra1-edge2', name: 'FRANKFURT 1' })).toMatchObject({
      status: 409,
      body: { errors: [called] },
    })
    expect(await change(ams, { name: 'FRANKFURT 1' })).toMatchObject({ status: 409, body: { errors: [called] } })
    const later = await testApp.addLabSite({ slug: 'par1', name: 'Paris', segment: 115 })
    expect((await edges()).unserved).toEqual([{ id: later.site, name: 'Paris' }])
  })

  test('at a site that no edge serves, an approval says so at once and the customer reads why', async () => {
    const { site } = await db
      .selectFrom('sites')
      .select('id as site')
      .where('slug', '=', 'par1')
      .executeTakeFirstOrThrow()
    const { userId, answer, tookMs } = await approvedAt({ ...lab, site })
    expect(tookMs).toBeLessThan(5_000)
    expect(answer).toMatchObject({ status: 'APPROVED', importedAt: null, edge: { name: null, loaded: false } })
    expect(answer.edge.detail).toContain('No edge router serves Paris yet')
    expect((await own(userId)).body.edge).toMatchObject({ name: null, site: 'Paris', current: false })
  })

  test('carries the customers of its sites alone, and the other its own', async () => {
    expect((await change(fra, { sites: [frankfurt.site] })).body.sites).toEqual([
      { id: frankfurt.site, name: 'Frankfurt' },
    ])
    const one = await approvedAt(lab)
    const other = await approvedAt(frankfurt)
    expect(one.answer).toMatchObject({ edge: { name: 'Edge 1', loaded: true, settled: true } })
    expect(other.answer).toMatchObject({ edge: { name: 'Frankfurt 1', loaded: true, settled: true } })
    expect(await connectionsOn(ams)).toContain(one.connection)
    expect(await connectionsOn(ams)).not.toContain(other.connection)
    expect(await connectionsOn(fra)).toEqual([other.connection])
    await eventually(async () => (await prefixOf(other.userId, other.id)).stages[6].state === 'done')
    const { body } = await own(other.userId)
    expect(body.edge).toMatchObject({ name: 'Frankfurt 1', site: 'Frankfurt', current: true })
    expect(body.sessions).toMatchObject([
      { localAddress: '203.0.114.1', state: 'ESTABLISHED' },
      { state: 'ESTABLISHED' },
    ])
    expect(await edgeOf(fra)).toMatchObject({ sessions: { established: 2, all: 2 } })
  })
})

describe('a connection that moves to a router of another site', () => {
  test('is dropped by the old edge before the new one takes it, and never called loaded where it is not', async () => {
    const { userId, id, connection } = await approvedAt(lab)
    const routerId = await testApp.addRouter(userId, frankfurt)
    let lied = false
    const looking = eventually(async () => {
      const { router } = (await own(userId)).body
      const { importedAt, stages } = await prefixOf(userId, id)
      const there = (await connectionsOn(fra)).includes(connection)
      const loaded = importedAt !== null || stageOf({ stages }, 'filter')!['state' as never] === 'done'
      // The portal was read first and the router after, so whatever the portal said must be true by now.
      if (router.id === routerId && loaded && !there) lied = true
      return there && importedAt !== null
    })
    const { body } = await call(userId, 'PUT', '/api/transit_connection', { routerId })
    expect(body.edge).toMatchObject({ name: 'Frankfurt 1', current: false })
    expect(body.edge.error).toBe('The connection is moving from Edge 1 to Frankfurt 1.')
    await looking
    expect(lied).toBe(false)
    expect(await connectionsOn(ams)).not.toContain(connection)
    expect(twice).toEqual([])
    await eventually(async () => (await own(userId)).body.sessions[0].state === 'ESTABLISHED')
    const reported = await db
      .selectFrom('outgoing_events')
      .select('type')
      .where('account_id', '=', accountIdOf(userId))
      .orderBy('id')
      .execute()
    expect(reported.map(({ type }) => type)).toEqual(expect.arrayContaining(['session.down', 'session.up']))
  })

  test('comes along when its site is given to the other edge, and goes back with it', async () => {
    const berlin = await testApp.addLabSite({ slug: 'ber1', name: 'Berlin', segment: 116 })
    await change(ams, { sites: [lab.site, berlin.site] })
    const { connection, id, userId } = await approvedAt(berlin)
    await change(fra, { sites: [frankfurt.site, berlin.site] })
    expect((await edgeOf(ams)).sites).toEqual([{ id: lab.site, name: 'Lab' }])
    await eventually(async () => (await connectionsOn(fra)).includes(connection))
    await eventually(async () => (await prefixOf(userId, id)).importedAt !== null)
    await change(fra, { sites: [frankfurt.site] })
    await eventually(async () => (await edges()).unserved.some(({ name }: { name: string }) => name === 'Berlin'))
    await eventually(async () => !(await connectionsOn(fra)).includes(connection))
    await eventually(async () => (await prefixOf(userId, id)).importedAt === null)
    expect(twice).toEqual([])
  })
})

describe('maintenance', () => {
  test('drains the customers of its own edge and no others', async () => {
    await approvedAt(lab)
    const generation = async (router: Router) => (await router.driver.running()).generation
    const before = { ams: await generation(ams), fra: await generation(fra) }
    expect((await change(fra, { maintenance: true })).status).toBe(422)
    const { body } = await change(fra, { maintenance: true, reason: 'New optics' })
    expect(body).toMatchObject({ slug: 'fra1-edge1', maintenance: { reason: 'New optics' } })
    await eventually(async () => (await generation(fra)) !== before.fra)
    expect((await call(staff, 'GET', '/api/admin/edge')).body).toMatchObject({ slug: 'edge1', maintenance: null })
    expect(await generation(ams)).toBe(before.ams)
    await change(fra, { maintenance: false })
    await eventually(async () => (await generation(fra)) === before.fra)
    const { id } = await edgeOf(fra)
    const auditEvents = await db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_type', '=', 'edge')
      .where('subject_id', '=', id)
      .where('action', 'like', 'edge.maintenance%')
      .execute()
    expect(auditEvents).toHaveLength(2)
  })
})

describe('an edge whose process is gone', () => {
  test('is shown as away with who drove it, its customers as last seen, and the other continues', async () => {
    const mine = await approvedAt(frankfurt)
    await eventually(async () => (await own(mine.userId)).body.sessions[0].state === 'ESTABLISHED')
    await eventually(
      async () => stageOf(await prefixOf(mine.userId, mine.id), 'accepted')!['state' as never] === 'done',
    )
    await processes.fra.vanish()
    const gone = await edgeOf(fra)
    expect(gone).toMatchObject({ errorKind: 'no_agent', current: false, process: { alive: false } })
    expect(gone.error).toMatch(
      /last seen was the process of fra1-edge1 at .* UTC\. Start longhaul-agent beside fra1-edge1\./,
    )
    const { body } = await own(mine.userId)
    expect(body.sessions[0]).toMatchObject({ state: 'ESTABLISHED', stateKnown: false, observedAt: gone.observedAt })
    expect(body.edge.error).toContain('is not responding')
    expect(stageOf(await prefixOf(mine.userId, mine.id), 'accepted')).toMatchObject({
      state: 'unknown',
      earlier: { what: 'as last seen', at: gone.observedAt },
    })

    const late = await approvedAt(frankfurt)
    expect(late.answer).toMatchObject({ status: 'APPROVED', edge: { loaded: false, settled: false } })
    expect(late.tookMs).toBeLessThan(5_000)
    expect(late.answer.edge.detail).toContain('No agent is running')
    expect((await approvedAt(lab)).answer).toMatchObject({ edge: { loaded: true } })
    expect(await edgeOf(ams)).toMatchObject({ error: null, current: true })

    processes.fra = await startEdge(testApp, fra)
    await eventually(async () => (await prefixOf(late.userId, late.id)).importedAt !== null)
    expect(await edgeOf(fra)).toMatchObject({ error: null, current: true, process: { alive: true } })
  })

  test('is named in an approval from the end of its lease on, before its absence is written down', async () => {
    await processes.fra.end()
    await db
      .updateTable('leases')
      .set({ expires_at: sql`clock_timestamp()`, renewed_at: sql`clock_timestamp()` })
      .where('key', '=', 'edge fra1-edge1')
      .execute()
    const { answer, tookMs } = await approvedAt(frankfurt)
    expect(answer).toMatchObject({ status: 'APPROVED', edge: { loaded: false, settled: false } })
    expect(answer.edge.detail).toContain('No agent is running: last seen was the process of fra1-edge1')
    expect(tookMs).toBeLessThan(4_000)
    processes.fra = await startEdge(testApp, fra)
    await eventually(async () => (await edgeOf(fra)).errorKind === null)
  })

  test('cannot hold a customer back: another edge takes over, and the old one drops it in its first load', async () => {
    const { userId, id, connection } = await approvedAt(frankfurt)
    await processes.fra.vanish()
    watching = false
    await call(userId, 'PUT', '/api/transit_connection', { routerId: await testApp.addRouter(userId, lab) })
    await eventually(async () => (await prefixOf(userId, id)).importedAt !== null)
    expect(await connectionsOn(ams)).toContain(connection)
    // The router still speaks BGP without its process, as nothing can change its configuration.
    expect(await connectionsOn(fra)).toContain(connection)
    processes.fra = await startEdge(testApp, fra)
    await eventually(async () => !(await connectionsOn(fra)).includes(connection))
    expect((await prefixOf(userId, id)).importedAt).not.toBeNull()
    expect((await own(userId)).body.edge).toMatchObject({ name: 'Edge 1', error: null })
    watching = true
  })
})

test('a process with the BGP identifier of another edge may not drive its own', async () => {
  await call(staff, 'POST', '/api/admin/edges', { slug: 'ber1-edge1', name: 'Berlin 1' })
  const copied = await startEdge(testApp, newRouter('ber1-edge1', fra.routerId, simulated()))
  await eventually(async () => {
    const { edges } = (await call(staff, 'GET', '/api/admin/edges')).body
    return edges.find(({ slug }: { slug: string }) => slug === 'ber1-edge1').waiting?.includes('EDGE_ROUTER_ID is')
  })
  expect(copied.isLeaseHolder()).toBe(false)
  await copied.end()
  const real = await startEdge(testApp, newRouter('ber1-edge1', '192.0.2.10', simulated()))
  await eventually(async () => real.isLeaseHolder())
  await real.end()
})

test('the BGP identifier that staff set is an edge’s own, though another edge claimed it first', async () => {
  const claim = (slug: string, routerId: string) =>
    db.transaction().execute((on) => acquireEdgeLease(on, { slug, kind: 'simulated', why: 'a test', routerId }))
  const add = (slug: string, bgpIdentifier?: string) =>
    call(staff, 'POST', '/api/admin/edges', { slug, name: slug, ...(bgpIdentifier && { bgpIdentifier }) })
  await add('liar1-edge1')
  const { body: honest } = await add('rom1-edge1', '192.0.2.91')
  expect(honest).toMatchObject({ bgpIdentifier: '192.0.2.91', routerId: null })
  expect(await claim('liar1-edge1', '192.0.2.91')).toContain('which is rom1-edge1')
  expect(await claim('rom1-edge1', '192.0.2.92')).toContain('staff set 192.0.2.91 for this edge')
  expect(await claim('rom1-edge1', '192.0.2.91')).toBeNull()
  // Claimed before staff set whose it is.
  expect(await claim('liar1-edge1', '192.0.2.93')).toBeNull()
  const path = `/api/admin/edges/${honest.id}`
  expect(await call(staff, 'PATCH', path, { bgpIdentifier: '192.0.2.93' })).toMatchObject({ status: 200 })
  expect(await claim('rom1-edge1', '192.0.2.93')).toBeNull()
  expect(await claim('liar1-edge1', '192.0.2.93')).toContain('which is rom1-edge1')
  const { id: liar } = await edgeOf({ slug: 'liar1-edge1' } as Router)
  expect(await call(staff, 'PATCH', `/api/admin/edges/${liar}`, { bgpIdentifier: '192.0.2.93' })).toMatchObject({
    status: 409,
  })
  expect((await call(staff, 'PATCH', path, { bgpIdentifier: 'edge' })).status).toBe(422)
  for (const id of [liar, honest.id]) expect((await call(staff, 'DELETE', `/api/admin/edges/${id}`)).status).toBe(204)
})

test('an edge stays what it said first, until staff set another BGP identifier', async () => {
  const claim = (slug: string, routerId: string) =>
    db.transaction().execute((on) => acquireEdgeLease(on, { slug, kind: 'simulated', why: 'a test', routerId }))
  const add = async (slug: string) => (await call(staff, 'POST', '/api/admin/edges', { slug, name: slug })).body.id
  const [taken, coming] = [await add('osl1-edge1'), await add('osl1-edge2')]
  expect(await claim('osl1-edge1', '192.0.2.101')).toBeNull()
  // For an edge that has never connected, and for which staff set no identifier.
  expect(await claim('osl1-edge1', '192.0.2.102')).toContain('this edge was 192.0.2.101')
  expect(await claim('osl1-edge2', '192.0.2.102')).toBeNull()
  await call(staff, 'PATCH', `/api/admin/edges/${taken}`, { bgpIdentifier: '192.0.2.103' })
  expect(await claim('osl1-edge1', '192.0.2.103')).toBeNull()
  for (const id of [taken, coming]) await call(staff, 'DELETE', `/api/admin/edges/${id}`)
})

test('of two edges that claim one BGP identifier at once, one may drive', async () => {
  const slugs = ['mad1-edge1', 'par1-edge1']
  for (const slug of slugs) await call(staff, 'POST', '/api/admin/edges', { slug, name: slug })
  const [first, second] = slugs.map(
    (slug) => (on: typeof db) =>
      acquireEdgeLease(on, { slug, kind: 'simulated', why: 'a test', routerId: '192.0.2.77' }),
  )
  let late: ReturnType<typeof acquireEdgeLease> | undefined
  await db.transaction().execute(async (transaction) => {
    expect(await first!(transaction)).toBeNull()
    late = db.transaction().execute((other) => second!(other))
    await Promise.race([late, lockIsAwaited(db)])
  })
  expect(await late!).toContain('192.0.2.77')
  for (const slug of slugs) await call(staff, 'DELETE', `/api/admin/edges/${(await edgeOf({ slug } as Router)).id}`)
})

test('an edge is removed when it serves no site and carries nothing, and not before', async () => {
  const remove = async (router: Pick<Router, 'slug'>) =>
    call(staff, 'DELETE', `/api/admin/edges/${(await edgeOf(router as Router)).id}`)
  expect((await remove(fra)).body.detail).toContain('serves sites')
  expect((await remove({ slug: 'ber1-edge1' })).status).toBe(204)
  expect((await edges()).edges.map(({ slug }: { slug: string }) => slug)).toEqual(['edge1', 'fra1-edge1'])
})
