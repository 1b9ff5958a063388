import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customerOf, eventually, PRODUCTS, startScenario, stateOf, untilEstablished, outcomes } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import type { Announcement, Speaker } from './speaker.ts'

const BLACKHOLE = [[65535, 666]] as const
const LONG_PATH = Array.from({ length: 32 }, () => 500_011)

/** The customer's announcements, and the expected result of each. */
const ANNOUNCED: readonly (Announcement & { readonly becomes: 'accepted' | number; readonly why: string })[] = [
  { prefix: '45.30.10.0/24', becomes: 'accepted', why: 'approved and valid in RPKI' },
  { prefix: '45.30.11.0/24', path: [500_011], becomes: 'accepted', why: 'a downstream, approved for its own origin' },
  { prefix: '45.30.14.0/24', becomes: 'accepted', why: 'approved, in no ROA' },
  { prefix: '45.30.10.7/32', communities: BLACKHOLE, becomes: 'accepted', why: 'a blackhole inside approved space' },
  { prefix: '2d10:10::/32', becomes: 'accepted', why: 'IPv6, approved' },
  { prefix: '2d10:10::7/128', communities: BLACKHOLE, becomes: 'accepted', why: 'an IPv6 blackhole' },

  { prefix: '45.30.40.0/24', path: LONG_PATH, becomes: 2, why: 'a path of 33' },
  { prefix: '45.30.41.0/24', path: [64_512, 500_011], becomes: 3, why: 'a private AS in the path (RFC 6996)' },
  { prefix: '45.30.42.0/24', path: [23_456], becomes: 3, why: 'AS_TRANS in the path (RFC 6793)' },
  { prefix: '45.30.43.0/24', path: [3356, 500_011], becomes: 4, why: 'a leak of a transit-free network (RFC 7908)' },
  { prefix: '0.0.0.0/0', becomes: 5, why: 'a default route' },
  { prefix: '10.20.0.0/16', becomes: 5, why: 'private space (RFC 1918)' },
  { prefix: '203.0.113.128/25', becomes: 5, why: 'a part of our own segment' },
  { prefix: '2001:db8:7::/48', becomes: 5, why: 'documentation space (RFC 3849)' },
  { prefix: 'fd00:7::/48', becomes: 5, why: 'outside global unicast (RFC 4193)' },
  { prefix: '44.0.0.0/7', becomes: 6, why: 'shorter than anybody holds' },
  { prefix: '45.30.44.0/24', path: [500_012], becomes: 7, why: 'an origin that has no approval here' },
  { prefix: '45.30.18.0/24', nextHop: '203.0.113.99', becomes: 8, why: 'traffic is pointed at somebody else' },
  { prefix: '45.30.77.7/32', communities: BLACKHOLE, becomes: 9, why: "a blackhole in another's space" },
  { prefix: '45.30.10.0/28', communities: BLACKHOLE, becomes: 9, why: 'a blackhole wider than a host' },
  { prefix: '45.30.10.0/25', becomes: 10, why: 'longer than /24' },
  { prefix: '2d10:10::/49', becomes: 10, why: 'longer than /48' },
  { prefix: '45.30.15.0/24', becomes: 11, why: 'nobody approved it' },
  { prefix: '2d10:10:1::/48', becomes: 11, why: 'a more-specific of an approved prefix' },
  { prefix: '45.30.16.0/24', path: [500_011], becomes: 11, why: 'approved for another origin only' },
  { prefix: '45.30.12.0/24', becomes: 12, why: 'approved, but its ROA names another AS' },
  { prefix: '45.30.13.0/24', becomes: 12, why: 'approved, but longer than its ROA allows' },
]

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere }) => {
  describe.skipIf(skipped)(`judges what a customer announces${notHere}`, () => {
    let scenario: Scenario
    let customer: Speaker
    let validated: Record<string, 'accepted' | number | null>

    beforeAll(async () => {
      scenario = await startScenario(product)
      await scenario.setRoas([
        { prefix: '45.30.10.0/24', maxLength: 24, asn: 500_010 },
        { prefix: '45.30.11.0/24', maxLength: 24, asn: 500_011 },
        { prefix: '45.30.12.0/24', maxLength: 24, asn: 500_099 },
        { prefix: '45.30.12.0/23', maxLength: 23, asn: 500_010 },
        { prefix: '2d10:10::/32', maxLength: 32, asn: 500_010 },
      ])
      customer = await scenario.speaker({ host: 10, asn: 500_010 })
      await customer.announce(ANNOUNCED)
      const approved = [10, 12, 13, 16, 18].map((n) => ({ prefix: `45.30.${n}.0/24`, origin: 500_010 }))
      await scenario.edge.apply(
        stateOf(
          customerOf(customer, {
            id: 10,
            asn: 500_010,
            accept: [
              ...approved,
              { prefix: '45.30.11.0/24', origin: 500_011 },
              { prefix: '45.30.14.0/24', origin: 500_010 },
              { prefix: '2d10:10::/32', origin: 500_010 },
            ],
          }),
        ),
      )
      await untilEstablished(scenario.edge, 2)
      validated = await eventually(async () => {
        const routes = await scenario.edge.routes(10)
        expect(routes).toHaveLength(ANNOUNCED.length)
        return outcomes(routes)
      })
    })
    afterAll(() => scenario?.stop())

    test.each(ANNOUNCED)('$prefix becomes $becomes: $why', ({ prefix, becomes }) => {
      expect(validated[prefix]).toBe(becomes)
    })

    test('the upstream hears of the accepted routes and of nothing else', async () => {
      const accepted = ANNOUNCED.filter((route) => route.becomes === 'accepted').map((route) => route.prefix)
      await eventually(async () => expect([...(await scenario.atUpstream()).keys()].sort()).toEqual(accepted.sort()))
    })

    test('the edge itself says that it announces these, and only these', async () => {
      const announced = (await scenario.edge.routes(10)).filter((route) => route.exported).map((route) => route.prefix)
      const accepted = ANNOUNCED.filter((route) => route.becomes === 'accepted').map((route) => route.prefix)
      expect(announced.sort()).toEqual(accepted.sort())
    })

    test('a route leaves with the path of the customer behind ours and without our own communities', async () => {
      const route = (await scenario.atUpstream()).get('45.30.11.0/24')
      expect(route).toMatch(/BGP\.as_path: 500000 500010 500011\n/)
      expect(route).not.toContain('large_community')
    })

    test('a blackhole reaches the upstream marked to go no further (RFC 7999 section 3.2)', async () => {
      expect((await scenario.atUpstream()).get('45.30.10.7/32')).toContain('BGP.community: (65535,666) (65535,65281)')
    })

    test('the session counts agree with the verdicts', async () => {
      const sessions = await scenario.edge.sessions()
      const total = (field: 'received' | 'accepted'): number =>
        sessions.reduce((sum, session) => sum + session[field], 0)
      expect(total('received')).toBe(ANNOUNCED.length)
      expect(total('accepted')).toBe(ANNOUNCED.filter((route) => route.becomes === 'accepted').length)
    })

    test('routes are handed out up to the limit asked for', async () => {
      expect(await scenario.edge.routes(10, 3)).toHaveLength(3)
    })
  })

  describe.skipIf(skipped)(`judges what a customer says of itself${notHere}`, () => {
    let scenario: Scenario
    beforeAll(async () => {
      scenario = await startScenario(product)
    })
    afterAll(() => scenario?.stop())

    test('a path that does not begin with the neighbour is not taken (RFC 4271 section 6.3)', async () => {
      const forger = await scenario.speaker({ host: 20, asn: 500_020, hidesOwnAs: true })
      await forger.announce([{ prefix: '45.30.10.0/24', path: [500_010] }])
      const accept = [{ prefix: '45.30.10.0/24', origin: 500_010 }]
      await scenario.edge.apply(stateOf(customerOf(forger, { id: 20, asn: 500_020, accept })))
      await untilEstablished(scenario.edge, 2)
      await eventually(async () => expect(outcomes(await scenario.edge.routes(20))).toEqual({ '45.30.10.0/24': 1 }))
      expect((await scenario.atUpstream()).size).toBe(0)
    })
  })
})
