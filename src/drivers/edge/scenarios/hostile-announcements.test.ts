import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { inNamespace } from '../../../../lab/network/ip.ts'
import type { Family } from '../../../kernel/prefix.ts'
import { encodeUpdate, type RawAnnouncement } from './bgp-encoding.ts'
import {
  approvedPrefixes,
  foreignRoas,
  goodAnnouncements,
  hostileAnnouncements,
  hostileFromNeighbor,
  ORIGIN,
  OWN,
} from './hostile-announcements.ts'
import type { RawOrders } from './raw-speaker.ts'
import { FEED, RELAYS, relaySkipReason, startRelay } from './relays.ts'
import { eventually, PRODUCTS, startScenario, stateOf, untilEstablished, type Scenario } from './scenario.ts'
import { attachHost, type Host } from './speaker.ts'

const PROGRAM = fileURLToPath(new URL('./raw-speaker.ts', import.meta.url))
const FAMILIES = [4, 6] as const

const missing = new Map(await Promise.all(RELAYS.map(async (kind) => [kind, await relaySkipReason(kind)] as const)))

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere }) => {
  describe.skipIf(skipped)(`before a customer that announces what it may not${notHere}`, () => {
    let scenario: Scenario
    let host: Host | null = null
    let child: ChildProcess | null = null

    beforeAll(async () => {
      scenario = await startScenario(product)
      await scenario.setRoas(foreignRoas())
    })
    afterEach(async () => {
      child?.kill('SIGKILL')
      await host?.stop()
      host = null
    })
    afterAll(async () => {
      await scenario?.stop()
    })

    const configure = async (id: number, neighbors: Host['neighbors']): Promise<void> => {
      const customer = {
        id,
        asn: OWN,
        enabled: true,
        accept: approvedPrefixes(),
        statics: [],
        exports: 'default' as const,
      }
      await scenario.edge.apply(stateOf({ ...customer, neighbors }))
    }
    const speak = (namespace: string, orders: RawOrders[]): void => {
      child = spawn('ip', ['netns', 'exec', namespace, process.execPath, PROGRAM])
      child.stdin!.end(JSON.stringify(orders))
    }

    /**
     * Expects that no hostile route is accepted or reaches the upstream, and that every good one is accepted and does.
     */
    async function expectJudged(id: number, hostile: readonly RawAnnouncement[], good: readonly RawAnnouncement[]) {
      const routes = () => scenario.edge.routes(id, 5_000)
      const goodPrefixes = good.map((route) => route.prefix).toSorted()
      const accepted = async () =>
        (await routes())
          .filter((route) => route.accepted)
          .map((route) => route.prefix)
          .toSorted()
      await eventually(async () => expect(await accepted()).toEqual(expect.arrayContaining(goodPrefixes)), 40_000)
      // Until nothing new arrives: speakers do not keep the order of their input.
      for (let before = -1, now = 0; now !== before; now = (await routes()).length) {
        before = now
        await sleep(1_000)
      }
      const judged = await routes()
      expect(await accepted()).toEqual(goodPrefixes)
      const atUpstream = [...(await scenario.atUpstream()).keys()].toSorted()
      expect(atUpstream.filter((prefix) => !goodPrefixes.includes(prefix))).toEqual([])
      // Most were rejected here, and not already dropped by a relay.
      expect(judged.filter((route) => !route.accepted).length).toBeGreaterThan(hostile.length / 2)
    }

    test.for(RELAYS)(
      'has nothing of it accepted over %s, and every sound route',
      { timeout: 90_000 },
      async (kind, context) => {
        const reason = missing.get(kind)
        if (reason) return context.skip(reason)
        const id = 30 + RELAYS.indexOf(kind)
        host = await startRelay(scenario.network, scenario.directory, kind, { host: id, asn: OWN, feederAsn: ORIGIN })
        await configure(id, host.neighbors)
        await untilEstablished(scenario.edge, 2)
        const own: Record<Family, string> = { 4: '203.0.113.77', 6: '2001:db8:100::4d' }
        const hostile = FAMILIES.flatMap(hostileAnnouncements)
        // FRR follows RFC 7999 literally and passes no blackhole on.
        const passes = (route: RawAnnouncement) => kind !== 'frr' || !route.communities?.some(([asn]) => asn === 65_535)
        expect(hostile.length * RELAYS.length).toBeGreaterThan(800)
        const good = FAMILIES.flatMap((family) => goodAnnouncements(family).filter(passes))
        const updates = [...hostile, ...good].map((route) => encodeUpdate(route, own))
        speak(host.namespace, [{ local: FEED.feeder, remote: FEED.relay, asn: ORIGIN, families: FAMILIES, updates }])
        await expectJudged(id, hostile, good)
      },
    )

    test('has nothing of it accepted when it writes the messages itself', async () => {
      host = await attachHost(scenario.network, scenario.directory, { host: 23 })
      await inNamespace(host.namespace, 'sysctl', '-qw', 'net.ipv4.ip_default_ttl=255')
      await inNamespace(host.namespace, 'sysctl', '-qw', 'net.ipv6.conf.eth0.hop_limit=255')
      const own = (route: RawAnnouncement): RawAnnouncement => ({ ...route, path: `${OWN} ${route.path}` })
      const hostile = FAMILIES.flatMap((family) => [
        ...hostileFromNeighbor(family),
        ...hostileAnnouncements(family).map(own),
      ])
      const good = FAMILIES.flatMap((family) => goodAnnouncements(family).map(own))
      const orders = host.neighbors.map(({ family, peerAddress: local, localAddress: remote }) => {
        const said = [...hostile, ...good].filter((route) => route.prefix.includes(':') === (family === 6))
        return { local, remote, asn: OWN, updates: said.map((route) => encodeUpdate(route, host!.own)) }
      })
      await configure(23, host.neighbors)
      await eventually(async () => {
        const states = (await scenario.edge.sessions()).map((session) => session.state)
        if (states.every((state) => state === 'ESTABLISHED')) return
        child?.kill('SIGKILL')
        speak(host!.namespace, orders)
        await sleep(2_000)
        throw new Error(`sessions are ${states.join(', ')}`)
      }, 30_000)
      await expectJudged(23, hostile, good)
    }, 90_000)
  })
})
