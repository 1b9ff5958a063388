import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  customerOf,
  eventually,
  PRODUCTS,
  startScenario,
  stateOf,
  untilEstablished,
  outcomes,
  type Scenario,
} from './scenario.ts'
import type { Speaker } from './speaker.ts'

const PREFIX = '45.30.10.0/24'
const OURS = { prefix: PREFIX, maxLength: 24, asn: 500_010 }
const WITHOUT_ROA = '45.30.11.0/24'
const ALSO_WITH_ROA = '45.30.12.0/24'
const ANOTHERS = { prefix: PREFIX, maxLength: 24, asn: 500_099 }

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere }) => {
  describe.skipIf(skipped)(`looks again at what it has when RPKI changes${notHere}`, () => {
    let scenario: Scenario
    let customer: Speaker
    const expectOutcome = (verdict: 'accepted' | number) =>
      eventually(async () => {
        expect(outcomes(await scenario.edge.routes(10))).toEqual({ [PREFIX]: verdict })
        expect((await scenario.atUpstream()).has(PREFIX)).toBe(verdict === 'accepted')
      })

    beforeAll(async () => {
      scenario = await startScenario(product)
      customer = await scenario.speaker({ host: 10, asn: 500_010 })
      await customer.announce([{ prefix: PREFIX }])
      const accept = [{ prefix: PREFIX, origin: 500_010 }]
      await scenario.edge.apply(stateOf(customerOf(customer, { id: 10, asn: 500_010, accept })))
      await untilEstablished(scenario.edge, 2)
    })
    afterAll(() => scenario?.stop())

    test('a route that became invalid is withdrawn, and returns when a ROA for it appears', async () => {
      await expectOutcome('accepted')
      await scenario.setRoas([ANOTHERS])
      await expectOutcome(12)
      await scenario.setRoas([ANOTHERS, OURS])
      await expectOutcome('accepted')
    })

    test('without any VRPs a prefix that has a ROA is refused, one without is accepted, and the operator may have both', async () => {
      const state = (roa: boolean) =>
        stateOf(
          customerOf(customer, {
            id: 10,
            asn: 500_010,
            accept: [
              { prefix: PREFIX, origin: 500_010, roa },
              { prefix: WITHOUT_ROA, origin: 500_010 },
              { prefix: ALSO_WITH_ROA, origin: 500_010, roa },
            ],
          }),
        )
      const expectOutcomes = (prefix: 'accepted' | number, also: 'accepted' | number) =>
        eventually(async () =>
          expect(outcomes(await scenario.edge.routes(10))).toEqual({
            [PREFIX]: prefix,
            [WITHOUT_ROA]: 'accepted',
            [ALSO_WITH_ROA]: also,
          }),
        )
      await customer.announce([{ prefix: PREFIX }, { prefix: WITHOUT_ROA }, { prefix: ALSO_WITH_ROA }])
      await scenario.setRoas([OURS, { ...OURS, prefix: ALSO_WITH_ROA }])
      await scenario.edge.apply(state(true))
      await expectOutcomes('accepted', 'accepted')
      expect(await scenario.edge.rpki()).toEqual({ vrps: 2, caches: [] })
      // A route that only lost its ROA was changed on purpose.
      await scenario.setRoas([OURS])
      // OpenBGPD refuses it until the portal has seen that its ROA is gone.
      await expectOutcomes('accepted', product === 'bird' ? 'accepted' : 13)
      await scenario.setRoas([])
      await expectOutcomes(13, 13)
      expect(await scenario.edge.rpki()).toEqual({ vrps: 0, caches: [] })
      expect((await scenario.atUpstream()).has(PREFIX)).toBe(false)
      await scenario.setRoas([OURS])
      // OpenBGPD refuses it until the portal has seen that its ROA is gone.
      await expectOutcomes('accepted', product === 'bird' ? 'accepted' : 13)
      await scenario.setRoas([])
      await expectOutcomes(13, 13)
      await scenario.edge.apply(state(false))
      await expectOutcomes('accepted', 'accepted')
    })

    test.skipIf(product !== 'bird')('tells of its RTR sessions, and counts a VRP of two sources once', async () => {
      await scenario.setRoas([OURS, { ...OURS, prefix: '2d10:10::/32', maxLength: 48 }])
      await writeFile(
        join(scenario.network.edge.directory, 'local', 'validator.conf'),
        `protocol rpki validator1 { roa4 { table rpki4; }; roa6 { table rpki6; }; remote 127.0.0.1 port 9; retry keep 2; }
protocol static again4 { roa4 { table rpki4; }; route ${PREFIX} max 24 as 500010; }`,
      )
      await scenario.askEdge('configure')
      await eventually(async () =>
        expect(await scenario.edge.rpki()).toEqual({
          vrps: 2,
          caches: [{ name: 'validator1', up: false, status: 'Transport-Error' }],
        }),
      )
    })

    test('an upstream route that became invalid is not used any more', async () => {
      const stolen = '45.31.20.0/24'
      const used = async () => (await scenario.edge.candidates(stolen, 10)).routes.length
      await eventually(async () => expect(await used()).toBe(1))
      await scenario.setRoas([OURS, { prefix: stolen, maxLength: 24, asn: 0 }])
      await eventually(async () => expect(await used()).toBe(0))
      if (product === 'bird')
        expect(await scenario.askEdge('show route filtered protocol upstream1_v4 all')).toContain('(500000, 1101, 12)')
    })
  })
})
