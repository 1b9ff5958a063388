import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  because,
  customerOf,
  eventually,
  skipReason,
  startScenario,
  stateOf,
  untilEstablished,
  outcomes,
  type Scenario,
} from './scenario.ts'

const PREFIX = '45.30.10.0/24'
const OURS = { prefix: PREFIX, maxLength: 24, asn: 500_010 }
const ANOTHERS = { prefix: PREFIX, maxLength: 24, asn: 500_099 }

describe.skipIf(skipReason)(`the edge looks again at what it has when RPKI changes${because}`, () => {
  let scenario: Scenario
  const expectOutcome = (verdict: 'accepted' | number) =>
    eventually(async () => {
      expect(outcomes(await scenario.edge.routes(10))).toEqual({ [PREFIX]: verdict })
      expect((await scenario.atUpstream()).has(PREFIX)).toBe(verdict === 'accepted')
    })

  beforeAll(async () => {
    scenario = await startScenario()
    const customer = await scenario.speaker({ host: 10, asn: 500_010 })
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

  test('an upstream route that became invalid is not used any more', async () => {
    const stolen = '45.31.20.0/24'
    await eventually(async () => expect(await scenario.askEdge(`show route ${stolen}`)).toContain(stolen))
    await scenario.setRoas([OURS, { prefix: stolen, maxLength: 24, asn: 0 }])
    await eventually(async () =>
      expect(await scenario.askEdge('show route filtered protocol upstream1_v4 all')).toContain('(500000, 1101, 12)'),
    )
  })
})
