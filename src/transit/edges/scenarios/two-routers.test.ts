import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ip } from '../../../../lab/network/ip.ts'
import { because, skipReason, startScenario, type Scenario } from '../../../drivers/edge/scenarios/scenario.ts'
import type { Speaker } from '../../../drivers/edge/scenarios/speaker.ts'
import { macOf } from '../../../routers/index.ts'
import { eventually, OPERATOR, createTransitTestApp, type LabSite, type TestApp } from '../../testing.ts'
import { newRouter, startEdge, startLeader } from '../testing.ts'

const PREFIX = '45.30.10.0/24'
const WITHIN_MS = 30_000

describe.skipIf(skipReason)(`one portal and two routers with a BIRD each${because}`, () => {
  let cities: { ams: Scenario; fra: Scenario }
  let testApp: TestApp
  let frankfurt: LabSite
  let customer: { userId: number; routerId: number }
  let speaker: Speaker
  let staff: number
  const running: (() => Promise<void>)[] = []
  const call = (...args: Parameters<TestApp['call']>) => testApp.call(...args)
  const speaksFor = async (city: Scenario) => [
    ...new Set([...(await city.askEdge('show protocols')).matchAll(/^lh_c(\d+)_v4/gm)].map(([, id]) => Number(id))),
  ]
  const prefixOf = async (id: number) => (await call(customer.userId, 'GET', `/api/transit_prefixes/${id}`)).body

  beforeAll(async () => {
    const [ams, fra] = await Promise.all([startScenario(), startScenario()])
    cities = { ams, fra }
    testApp = await createTransitTestApp(ams.edge)
    running.push((await startEdge(testApp, newRouter('edge1', OPERATOR.routerId, ams.edge))).end)
    running.push((await startEdge(testApp, newRouter('fra1-edge1', '192.0.2.9', fra.edge))).end)
    const leader = startLeader(testApp)
    running.push(() => leader.stop())
    staff = await testApp.addUser({ isAdmin: true })
    await testApp.lab()
    frankfurt = await testApp.addLabSite({ slug: 'fra1', name: 'Frankfurt', segment: 114 })
    const edge = { slug: 'fra1-edge1', name: 'Frankfurt 1', sites: [frankfurt.site] }
    expect((await call(staff, 'POST', '/api/admin/edges', edge)).status).toBe(201)
    // The first router of the test app is host 2 of its segment.
    customer = await testApp.addConnected(554_001)
    speaker = await ams.speaker({ host: 2, asn: 554_001 })
    // The edge reaches a leased address only at the MAC address of its router.
    await ip('-netns', speaker.namespace, 'link', 'set', 'eth0', 'address', macOf(customer.routerId))
  }, 60_000)
  afterAll(async () => {
    for (const end of running) await end()
    await testApp?.close()
    await Promise.all([cities?.ams.stop(), cities?.fra.stop()])
  }, 60_000)

  test('each runs its own customers, and one that moves leaves the first router before it is on the second', async () => {
    const { ams, fra } = cities
    const id = await testApp.request(customer.userId, PREFIX)
    const { body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, { reason: 'Known to us.' })
    expect(body.edge).toMatchObject({ name: 'Edge 1', loaded: true })
    await speaker.announce([{ prefix: PREFIX }])
    await eventually(async () => (await ams.atUpstream()).has(PREFIX), WITHIN_MS)
    const other = await testApp.addConnected(554_002, null, frankfurt)
    await eventually(async () => (await speaksFor(fra)).length === 1, WITHIN_MS)
    expect(await speaksFor(ams)).toHaveLength(1)
    expect(await speaksFor(ams)).not.toEqual(await speaksFor(fra))
    expect((await call(other.userId, 'GET', '/api/transit_connection')).body.edge).toMatchObject({
      name: 'Frankfurt 1',
      current: true,
    })

    const routerId = await testApp.addRouter(customer.userId, frankfurt)
    await call(customer.userId, 'PUT', '/api/transit_connection', { routerId })
    await eventually(async () => (await speaksFor(fra)).length === 2, WITHIN_MS)
    // Read after the second edge had it, so the first must already have dropped it.
    expect(await speaksFor(ams)).toEqual([])
    expect((await ams.atUpstream()).has(PREFIX)).toBe(false)
    await eventually(async () => (await prefixOf(id)).importedAt !== null, WITHIN_MS)
    const { edges } = (await call(staff, 'GET', '/api/admin/edges')).body
    for (const [index, city] of [ams, fra].entries()) {
      expect(edges[index]).toMatchObject({ kind: 'bird', current: true })
      expect(await city.askEdge('eval LH_GENERATION')).toContain(edges[index].generation)
    }
  }, 120_000)
})
