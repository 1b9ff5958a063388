import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { because, obstacle, startScenario, type Scenario } from '../../../drivers/edge/scenarios/scenario.ts'
import type { Speaker } from '../../../drivers/edge/scenarios/speaker.ts'
import { eventually, OPERATOR, transitOnTrial, type Place, type Trial } from '../../testing.ts'
import { newRouter, startEdge, startLeader } from '../testing.ts'

const PREFIX = '45.30.10.0/24'
const WITHIN_MS = 30_000

describe.skipIf(obstacle)(`one portal and two routers with a BIRD each${because}`, () => {
  let cities: { ams: Scenario; fra: Scenario }
  let trial: Trial
  let frankfurt: Place
  let customer: { userId: number; routerId: number }
  let speaker: Speaker
  let staff: number
  const running: (() => Promise<void>)[] = []
  const call = (...args: Parameters<Trial['call']>) => trial.call(...args)
  const speaksFor = async (city: Scenario) => [
    ...new Set([...(await city.askEdge('show protocols')).matchAll(/^lh_c(\d+)_v4/gm)].map(([, id]) => Number(id))),
  ]
  const prefixOf = async (id: number) => (await call(customer.userId, 'GET', `/api/transit_prefixes/${id}`)).body

  beforeAll(async () => {
    const [ams, fra] = await Promise.all([startScenario(), startScenario()])
    cities = { ams, fra }
    trial = await transitOnTrial(ams.edge)
    running.push((await startEdge(trial, newRouter('edge1', OPERATOR.routerId, ams.edge))).end)
    running.push((await startEdge(trial, newRouter('fra1-edge1', '192.0.2.9', fra.edge))).end)
    const leader = startLeader(trial)
    running.push(() => leader.stop())
    staff = await trial.addPerson({ isAdmin: true })
    await trial.lab()
    frankfurt = await trial.addPlace({ slug: 'fra1', name: 'Frankfurt', segment: 114 })
    const edge = { slug: 'fra1-edge1', name: 'Frankfurt 1', sites: [frankfurt.site] }
    expect((await call(staff, 'POST', '/api/admin/edges', edge)).status).toBe(201)
    // The first router of the trial is host 2 of its segment.
    customer = await trial.addConnected(554_001)
    speaker = await ams.speaker({ host: 2, asn: 554_001 })
  }, 60_000)
  afterAll(async () => {
    for (const end of running) await end()
    await trial?.close()
    await Promise.all([cities?.ams.stop(), cities?.fra.stop()])
  }, 60_000)

  test('each runs its own customers, and one that moves leaves the first router before it is on the second', async () => {
    const { ams, fra } = cities
    const id = await trial.request(customer.userId, PREFIX)
    const { body } = await call(staff, 'POST', `/api/admin/transit_prefixes/${id}/approve`, {})
    expect(body.edge).toMatchObject({ name: 'Edge 1', loaded: true })
    await speaker.announce([{ prefix: PREFIX }])
    await eventually(async () => (await ams.atUpstream()).has(PREFIX), WITHIN_MS)
    const other = await trial.addConnected(554_002, null, frankfurt)
    await eventually(async () => (await speaksFor(fra)).length === 1, WITHIN_MS)
    expect(await speaksFor(ams)).toHaveLength(1)
    expect(await speaksFor(ams)).not.toEqual(await speaksFor(fra))
    expect((await call(other.userId, 'GET', '/api/transit_connection')).body.edge).toMatchObject({
      name: 'Frankfurt 1',
      current: true,
    })

    const routerId = await trial.addRouter(customer.userId, frankfurt)
    await call(customer.userId, 'PUT', '/api/transit_connection', { routerId })
    await eventually(async () => (await speaksFor(fra)).length === 2, WITHIN_MS)
    // Asked after the second had it: the first had dropped it before.
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
