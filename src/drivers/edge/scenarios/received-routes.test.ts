import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inNamespace } from '../../../../lab/network/ip.ts'
import type { EdgePrefix, ReceivedRoute } from '../index.ts'
import { encodeUpdate, type RawAnnouncement } from './bgp-encoding.ts'
import { FEED, RELAYS, relaySkipReason, startRelay } from './relays.ts'
import { eventually, PRODUCTS, startScenario, stateOf, untilEstablished, type Scenario } from './scenario.ts'
import { attachHost, type Host } from './speaker.ts'

const PROGRAM = fileURLToPath(new URL('./raw-speaker.ts', import.meta.url))
const OWN = 500_010
const DOWNSTREAM = 500_011

const missing = new Map(await Promise.all(RELAYS.map(async (kind) => [kind, await relaySkipReason(kind)] as const)))

/** The rejection of each route; `null` is accepted. Paths are those behind the customer's own ASN. */
const ANNOUNCED: readonly (RawAnnouncement & { readonly becomes: number | null })[] = [
  { prefix: '45.40.0.0/24', path: '500011', becomes: null },
  { prefix: '45.40.1.0/24', path: '{500012} 500011', becomes: 14 },
  { prefix: '45.40.2.128/25', path: '500011', becomes: 10 },
  { prefix: '45.40.3.0/24', path: '500011', becomes: 12 },
  { prefix: '45.40.4.0/24', path: '500011', becomes: 11 },
  { prefix: '45.40.5.0/24', path: '3333', becomes: 7 },
  { prefix: '10.1.0.0/24', path: '500011', becomes: 5 },
  { prefix: '45.40.6.0/24', path: '1299 500011', becomes: 4 },
  { prefix: '2d20:1000::/32', path: '500011', becomes: null },
  { prefix: '2d20:1001::/49', path: '500011', becomes: 10 },
]
/** Routes that no common router passes on. */
const RAW_ALONE: typeof ANNOUNCED = [
  { prefix: '45.40.7.0/24', path: '500011', nextHop: '203.0.113.77', becomes: 8 },
  { prefix: '45.40.8.0/24', path: '500011', nextHop: '8.8.8.8', becomes: 8 },
  { prefix: '45.40.9.0/24', path: '500011', otc: 500_001, becomes: 16 },
  { prefix: '45.40.10.0/24', path: '500000 500011', becomes: 18 },
  { prefix: '45.40.11.0/24', path: '(500012) 500011', becomes: 15 },
  { prefix: '2d20:1002::/32', path: '500011', otc: 500_001, becomes: 16 },
  { prefix: '2d20:1003::/32', path: '500000 500011', becomes: 18 },
]
const ACCEPT: readonly EdgePrefix[] = [
  ...[0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11].map((n) => `45.40.${n}.0/24`),
  ...[0, 1, 2, 3].map((n) => `2d20:100${n}::/32`),
].map((prefix) => ({ prefix, origin: DOWNSTREAM }))

const reasons = (routes: readonly ReceivedRoute[]) =>
  Object.fromEntries(routes.map((route) => [route.prefix, route.accepted ? null : route.rejection]))
const expected = (routes: typeof ANNOUNCED) =>
  Object.fromEntries(routes.map(({ prefix, becomes }) => [prefix, becomes]))

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere }) => {
  describe.skipIf(skipped)(`hears a customer${notHere}`, () => {
    let scenario: Scenario
    let host: Host | null = null
    let child: ChildProcess | null = null

    beforeAll(async () => {
      scenario = await startScenario(product)
      await scenario.setRoas([{ prefix: '45.40.3.0/24', maxLength: 24, asn: 500_099 }])
    })
    afterEach(async () => {
      child?.kill('SIGKILL')
      await host?.stop()
      host = null
    })
    afterAll(() => scenario?.stop())

    const configure = (id: number, neighbors: Host['neighbors']) =>
      scenario.edge.apply(
        stateOf({ id, asn: OWN, enabled: true, accept: ACCEPT, statics: [], exports: 'default', neighbors }),
      )

    test.for(RELAYS)(
      'shows every route that %s passes on with its reason',
      { timeout: 60_000 },
      async (kind, context) => {
        const reason = missing.get(kind)
        if (reason) return context.skip(reason)
        const id = 30 + RELAYS.indexOf(kind)
        host = await startRelay(scenario.network, scenario.directory, kind, {
          host: id,
          asn: OWN,
          feederAsn: DOWNSTREAM,
        })
        await configure(id, host.neighbors)
        await untilEstablished(scenario.edge, 2)
        const updates = ANNOUNCED.map((route) => encodeUpdate(route, { 4: '203.0.113.77', 6: '2001:db8:100::4d' }))
        child = spawn('ip', ['netns', 'exec', host.namespace, process.execPath, PROGRAM])
        child.stdin!.end(
          JSON.stringify([{ local: FEED.feeder, remote: FEED.relay, asn: DOWNSTREAM, families: [4, 6], updates }]),
        )
        await eventually(async () => {
          const { routes, complete } = await scenario.edge.receivedRoutes(id, 1_000)
          expect(complete).toBe(true)
          expect(reasons(routes)).toMatchObject(expected(ANNOUNCED.filter(({ path }) => !path.startsWith('{'))))
          // Some implementations pass on no AS_SET (RFC 9774); if one arrives, it is shown.
          expect([14, undefined]).toContain(reasons(routes)['45.40.1.0/24'])
          const accepted = routes.find(({ prefix }) => prefix === '45.40.0.0/24')
          expect(accepted).toMatchObject({ asPath: '500010 500011', origin: DOWNSTREAM, nextHop: host!.own[4] })
          expect(accepted!.communities).toEqual([])
        }, 40_000)
      },
    )

    test('shows a wrong next hop, an OTC leak, our own AS and a confederation, which the daemon would drop unseen', async () => {
      host = await attachHost(scenario.network, scenario.directory, { host: 23 })
      await inNamespace(host.namespace, 'sysctl', '-qw', 'net.ipv4.ip_default_ttl=255')
      await inNamespace(host.namespace, 'sysctl', '-qw', 'net.ipv6.conf.eth0.hop_limit=255')
      await configure(23, host.neighbors)
      const all = [...ANNOUNCED, ...RAW_ALONE]
      const orders = host.neighbors.map(({ family, peerAddress: local, localAddress: remote }) => ({
        local,
        remote,
        asn: OWN,
        updates: all
          .filter(({ prefix }) => prefix.includes(':') === (family === 6))
          .map((route) => encodeUpdate({ ...route, path: `${OWN} ${route.path}` }, host!.own)),
      }))
      await eventually(async () => {
        child?.kill('SIGKILL')
        child = spawn('ip', ['netns', 'exec', host!.namespace, process.execPath, PROGRAM])
        child.stdin!.end(JSON.stringify(orders))
        await once(child.stdout!, 'data', { signal: AbortSignal.timeout(3_000) })
        await untilEstablished(scenario.edge, 2)
      }, 40_000)
      await eventually(async () => {
        const { routes } = await scenario.edge.receivedRoutes(23, 1_000)
        expect(reasons(routes)).toEqual(expected(all))
        expect(routes.find(({ prefix }) => prefix === '45.40.10.0/24')).toMatchObject({
          asPath: '500010 500000 500011',
        })
      }, 20_000)
      expect([...(await scenario.atUpstream()).keys()].toSorted()).toEqual(['2d20:1000::/32', '45.40.0.0/24'])
    }, 90_000)

    test('reads only as many routes as it is asked for, the refused ones first', async () => {
      const speaker = await scenario.speaker({ host: 24, asn: OWN })
      const many = Array.from({ length: 180 }, (_, n) => ({ prefix: `45.41.${n}.0/24` }))
      await speaker.announce([...many, { prefix: '45.40.0.0/24' }])
      const own = { prefix: '45.40.0.0/24', origin: OWN }
      const customer = { id: 24, asn: OWN, enabled: true, accept: [own], statics: [], exports: 'default' as const }
      await scenario.edge.apply(stateOf({ ...customer, neighbors: speaker.neighbors }))
      await untilEstablished(scenario.edge, 2)
      await eventually(async () => expect((await scenario.edge.receivedRoutes(24, 1_000)).routes).toHaveLength(181))
      const { routes, complete } = await scenario.edge.receivedRoutes(24, 50)
      expect(complete).toBe(false)
      expect(routes).toHaveLength(50)
      expect(routes.every(({ accepted }) => !accepted)).toBe(true)
    }, 60_000)
  })
})
