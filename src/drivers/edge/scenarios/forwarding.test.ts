import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAB } from '../../../../lab/network/index.ts'
import { inNamespace } from '../../../../lab/network/ip.ts'
import {
  because,
  customerOf,
  eventually,
  skipReason,
  startScenario,
  stateOf,
  untilEstablished,
  type Scenario,
} from './scenario.ts'
import type { Speaker } from './speaker.ts'

describe.skipIf(skipReason)(`traffic follows the routes${because}`, () => {
  let scenario: Scenario
  let customer: Speaker
  const ping = (namespace: string, from: string, to: string) =>
    inNamespace(namespace, 'ping', '-c', '1', '-W', '1', '-I', from, to)
  const fromInternet = (to: string) =>
    ping(scenario.network.names.upstreamNamespace, to.includes(':') ? LAB.internet[6] : LAB.internet[4], to)

  beforeAll(async () => {
    scenario = await startScenario()
    customer = await scenario.speaker({
      host: 10,
      asn: 500_010,
      addresses: ['45.30.10.1/32', '2d10:10::1/128', '45.30.19.1/32'],
    })
    await customer.announce([{ prefix: '45.30.10.0/24' }, { prefix: '2d10:10::/32' }])
    const accept = ['45.30.10.0/24', '2d10:10::/32'].map((prefix) => ({ prefix, origin: 500_010 }))
    const statics = [{ prefix: '45.30.19.0/24', nextHop: '203.0.113.10' }]
    await scenario.edge.apply(stateOf(customerOf(customer, { id: 10, asn: 500_010, accept, statics })))
    await untilEstablished(scenario.edge, 2)
  })
  afterAll(() => scenario?.stop())

  test.each(['45.30.10.1', '2d10:10::1'])(
    'the Internet reaches %s behind the customer and gets an answer',
    async (to) => {
      await eventually(() => fromInternet(to))
    },
  )

  test.each([
    ['45.30.10.1', LAB.internet[4]],
    ['2d10:10::1', LAB.internet[6]],
  ])('the customer reaches the Internet from %s over the default route', async (from, to) => {
    await eventually(() => ping(customer.namespace, from, to))
  })

  test('a static prefix is originated by the edge itself and forwarded to the router', async () => {
    await eventually(async () => {
      expect((await scenario.atUpstream()).get('45.30.19.0/24')).toMatch(/BGP\.as_path: 500000\n/)
      await fromInternet('45.30.19.1')
    })
  })

  test('our placeholder default stays out of the kernel', async () => {
    const routes = await inNamespace(scenario.network.names.edgeNamespace, 'ip', 'route', 'show', 'default')
    expect(routes).toBe('')
  })

  test('a blackhole drops at the edge what is sent to that one address', async () => {
    await customer.announce([{ prefix: '45.30.10.0/24' }, { prefix: '45.30.10.1/32', communities: [[65535, 666]] }])
    await eventually(() => expect(fromInternet('45.30.10.1')).rejects.toThrow('ping'))
    const route = await inNamespace(scenario.network.names.edgeNamespace, 'ip', 'route', 'show', '45.30.10.1')
    expect(route).toMatch(/^blackhole 45\.30\.10\.1/)
  })
})
