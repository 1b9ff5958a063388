import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAB } from '../../../../lab/network/index.ts'
import {
  customerOf,
  eventually,
  PRODUCTS,
  startScenario,
  stateOf,
  untilEstablished,
  type Scenario,
} from './scenario.ts'
import type { Announcement, Speaker } from './speaker.ts'

const { operatorAsn: US, upstreamAsn: UPSTREAM } = LAB
const OTHER_UPSTREAM = 500_002

/** The actions that the customer requests, and the route's path at the upstream; null where it must not arrive. */
const ASKED: readonly (Announcement & { readonly path4: string | null; readonly why: string })[] = [
  { prefix: '45.30.1.0/24', path4: '500000 500010', why: 'asks for nothing' },
  {
    prefix: '45.30.2.0/24',
    largeCommunities: [[US, 1011, UPSTREAM]],
    path4: '500000 500000 500010',
    why: 'prepends once',
  },
  {
    prefix: '45.30.3.0/24',
    largeCommunities: [[US, 1012, UPSTREAM]],
    path4: '500000 500000 500000 500010',
    why: 'prepends twice',
  },
  {
    prefix: '45.30.4.0/24',
    largeCommunities: [[US, 1013, 0]],
    path4: '500000 500000 500000 500000 500010',
    why: 'prepends three times to all',
  },
  { prefix: '45.30.5.0/24', largeCommunities: [[US, 1010, UPSTREAM]], path4: null, why: 'is not for this upstream' },
  { prefix: '45.30.6.0/24', largeCommunities: [[US, 1010, 0]], path4: null, why: 'is for no upstream' },
  { prefix: '45.30.7.0/24', largeCommunities: [[US, 1000, 0]], path4: null, why: 'is for no upstream, as before' },
  {
    prefix: '45.30.8.0/24',
    largeCommunities: [
      [US, 1010, OTHER_UPSTREAM],
      [US, 1013, OTHER_UPSTREAM],
    ],
    path4: '500000 500010',
    why: 'asks something of another upstream',
  },
]
/** An action of the upstream, one of another network, and information from the customer about itself. */
const FOREIGN: Announcement = {
  prefix: '45.30.9.0/24',
  communities: [
    [3356, 70],
    [65535, 0],
  ],
  largeCommunities: [
    [UPSTREAM, 666, 1],
    [US, 1, 2],
    [500_010, 1, 1],
    [500_011, 2, 2],
  ],
}

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere }) => {
  describe.skipIf(skipped)(`told by communities of a customer${notHere}`, () => {
    let scenario: Scenario
    let kestrel: Speaker
    let sandpiper: Speaker
    let atUpstream: Map<string, string>

    beforeAll(async () => {
      scenario = await startScenario(product)
      kestrel = await scenario.speaker({ host: 10, asn: 500_010 })
      sandpiper = await scenario.speaker({ host: 30, asn: 500_030 })
      await kestrel.announce([...ASKED, FOREIGN])
      const accept = [...ASKED, FOREIGN].map(({ prefix }) => ({ prefix, origin: 500_010 }))
      await scenario.edge.apply(
        stateOf(
          customerOf(kestrel, {
            id: 10,
            asn: 500_010,
            accept: [...accept, { prefix: '45.31.0.0/24', origin: 500_011 }],
          }),
          customerOf(sandpiper, { id: 30, asn: 500_030, exports: 'full' }),
        ),
      )
      await untilEstablished(scenario.edge, 4)
      const expected = [...ASKED.filter(({ path4 }) => path4 !== null), FOREIGN].map(({ prefix }) => prefix)
      atUpstream = await eventually(async () => {
        const routes = await scenario.atUpstream()
        expect([...routes.keys()].sort()).toEqual(expected.sort())
        return routes
      })
    })
    afterAll(() => scenario?.stop())

    test.each(ASKED)('$prefix $why', ({ prefix, path4 }) => {
      const route = atUpstream.get(prefix)
      if (path4 === null) expect(route).toBeUndefined()
      else expect(route).toContain(`BGP.as_path: ${path4}\n`)
      expect(route ?? '').not.toContain('large_community')
    })

    test('actions of other networks and our own marks are removed; BIRD keeps what it says of itself and of a downstream', () => {
      const route = atUpstream.get(FOREIGN.prefix)
      // An OpenBGPD rule cannot delete all communities but some, so upstreams receive only well-known ones.
      if (product === 'bird') expect(route).toMatch(/BGP\.large_community: \(500010, 1, 1\) \(500011, 2, 2\)$/m)
      else expect(route).not.toContain('large_community')
      expect(route).toMatch(/BGP\.community: \(65535,0\)$/m)
    })

    test('another customer sees neither who it is nor what it asked for', async () => {
      await eventually(async () => {
        const heard = (await sandpiper.ask('show route 45.30.5.0/24 all')).join('\n')
        expect(heard).toContain('BGP.as_path: 500000 500010')
        expect(heard).toContain('BGP.large_community: (500000, 1, 1)\n')
      })
    })
  })
})
