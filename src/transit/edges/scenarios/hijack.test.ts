/** The hijack of August 2022, from the request to the upstream, on a real BIRD. `downstreams/hijack.test.ts` tests the decisions. */
import { accountIdOf } from '../../../platform/db/testing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ip } from '../../../../lab/network/ip.ts'
import { REJECTION_REASONS } from '../../../drivers/edge/index.ts'
import { because, skipReason, startScenario, type Scenario } from '../../../drivers/edge/scenarios/scenario.ts'
import type { Speaker } from '../../../drivers/edge/scenarios/speaker.ts'
import { macOf } from '../../../routers/index.ts'
import { eventually, OPERATOR, createTransitTestApp, type TestApp } from '../../testing.ts'
import { setOf } from '../../testing-sources.ts'
import { newRouter, startEdge, startLeader } from '../testing.ts'

const THIEF = 554_010
const VICTIM = 500_020
const OWN_PREFIX = '45.30.11.0/24'
const STOLEN = '45.30.20.0/24'
const STOLEN_HALF = '45.30.20.0/25'
const WITHIN_MS = 30_000
const NOT_AUTHORIZED = 7

describe.skipIf(skipReason)(`a customer who knows every rule${because}`, () => {
  let scenario: Scenario
  let testApp: TestApp
  let thief: { userId: number; routerId: number }
  let speaker: Speaker
  let staff: number
  const running: (() => Promise<void>)[] = []
  const call = (...args: Parameters<TestApp['call']>) => testApp.call(...args)

  beforeAll(async () => {
    scenario = await startScenario()
    testApp = await createTransitTestApp(scenario.edge)
    running.push((await startEdge(testApp, newRouter('edge1', OPERATOR.routerId, scenario.edge))).end)
    const leader = startLeader(testApp)
    running.push(() => leader.stop())
    staff = await testApp.addUser({ isAdmin: true })
    // The victim's ROA, its route object and its own AS-SET are all true.
    testApp.rpki.change([{ prefix: STOLEN, maxLength: 24, asn: VICTIM }])
    await scenario.setRoas([{ prefix: STOLEN, maxLength: 24, asn: VICTIM }])
    testApp.irr.objects = [{ prefix: STOLEN, origin: VICTIM, source: 'RIPE' }]
    testApp.irr.autNumObjects = [
      { source: 'RIPE', memberOf: [], providers: [], asn: THIEF, maintainers: ['WHIMBREL-MNT'] },
      { source: 'RIPE', memberOf: [], providers: [500_001], asn: VICTIM, maintainers: ['PLOVER-MNT'] },
    ]
    testApp.irr.asSets.set('AS-PLOVER', setOf('AS-PLOVER', [VICTIM], { maintainers: ['PLOVER-MNT'] }))
    await testApp.lab()
    thief = await testApp.addConnected(THIEF, 'AS-PLOVER')
    speaker = await scenario.speaker({ host: 2, asn: THIEF })
    // The edge reaches a leased address only at the MAC address of its router.
    await ip('-netns', speaker.namespace, 'link', 'set', 'eth0', 'address', macOf(thief.routerId))
  }, 60_000)
  afterAll(async () => {
    for (const end of running) await end()
    await testApp?.close()
    await scenario?.stop()
  }, 60_000)

  test('gets the prefix of another network past neither the request, nor the approval, nor the edge', async () => {
    const body = { value: STOLEN, announcementType: 'DOWNSTREAM', originAsn: VICTIM }
    const { body: requested } = await call(thief.userId, 'POST', '/api/transit_prefixes', body)
    const approved = await call(staff, 'POST', `/api/admin/transit_prefixes/${requested.id}/approve`, {})
    expect(approved).toMatchObject({ status: 422, body: { errors: [{ field: 'reason' }] } })
    const { body: seen } = await call(thief.userId, 'GET', `/api/transit_prefixes/${requested.id}`)
    expect(seen).toMatchObject({ status: 'NEEDS_ACTION', rpkiStatus: 'VALID', irrStatus: 'VALID' })
    expect(seen.statusReason).toContain(
      'RIPE::AS-PLOVER does not belong to this account: it is maintained by PLOVER-MNT',
    )
    expect(seen.statusReason).toContain('AS500020 does not name AS554010')

    const own = await testApp.request(thief.userId, OWN_PREFIX)
    const reason = 'Known to us.'
    expect((await call(staff, 'POST', `/api/admin/transit_prefixes/${own}/approve`, { reason })).status).toBe(200)
    await speaker.announce([
      { prefix: OWN_PREFIX },
      { prefix: STOLEN, path: [VICTIM] },
      { prefix: STOLEN_HALF, path: [VICTIM] },
    ])
    await eventually(async () => (await scenario.atUpstream()).has(OWN_PREFIX), WITHIN_MS)
    const { id: connection } = await testApp.db
      .selectFrom('transit_connections')
      .select('id')
      .where('account_id', '=', accountIdOf(thief.userId))
      .executeTakeFirstOrThrow()
    const atEdge = async () => new Map((await scenario.edge.routes(connection)).map((route) => [route.prefix, route]))
    // Not in the same update as the customer's own prefix, so it may come later.
    await eventually(async () => (await atEdge()).size === 3, WITHIN_MS)
    const routes = await atEdge()
    expect(routes.get(OWN_PREFIX)).toMatchObject({ accepted: true })
    for (const prefix of [STOLEN, STOLEN_HALF])
      expect(routes.get(prefix)).toMatchObject({ accepted: false, rejection: NOT_AUTHORIZED })
    expect(REJECTION_REASONS[NOT_AUTHORIZED]).toBe('the origin AS is not authorized on this session')
    expect([...(await scenario.atUpstream()).keys()]).toEqual([OWN_PREFIX])
  }, 120_000)
})
