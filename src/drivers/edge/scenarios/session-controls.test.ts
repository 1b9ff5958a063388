import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureNetwork } from '../../../../lab/network/index.ts'
import { EdgeError, importLimit, receiveLimit, type EdgeCustomer } from '../index.ts'
import {
  customerOf,
  eventually,
  PRODUCTS,
  startScenario,
  stateOf,
  untilEstablished,
  type Scenario,
} from './scenario.ts'
import type { Speaker } from './speaker.ts'

const TEN = { prefix: '45.30.10.0/24', origin: 500_010 }
const OTHER = { prefix: '45.30.30.0/24', origin: 500_030 }
const MESSAGE = 'Router replaced; back at 14:00 – Jürgen'

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere }) => {
  describe.skipIf(skipped)(`does to sessions what a customer asks for${notHere}`, () => {
    let scenario: Scenario
    let kestrel: Speaker
    let sandpiper: Speaker
    const apply = (change: Partial<EdgeCustomer> = {}, others: Partial<EdgeCustomer> = {}) =>
      scenario.edge.apply(
        stateOf(
          customerOf(kestrel, { id: 10, asn: 500_010, accept: [TEN], ...change }),
          customerOf(sandpiper, { id: 30, asn: 500_030, accept: [OTHER], ...others }),
        ),
      )
    const withNeighbors = (change: object): Partial<EdgeCustomer> => ({
      neighbors: kestrel.neighbors.map((neighbor) => (neighbor.family === 4 ? { ...neighbor, ...change } : neighbor)),
    })
    const sessionsOf = async (customerId: number) =>
      (await scenario.edge.sessions()).filter((session) => session.customerId === customerId)
    const heard = async () => (await kestrel.ask('show protocols all transit4')).join('\n')
    const routes = (count: number) => Array.from({ length: count }, (_, n) => ({ prefix: `45.100.${n}.0/24` }))

    beforeAll(async () => {
      scenario = await startScenario(product)
      kestrel = await scenario.speaker({ host: 10, asn: 500_010 })
      sandpiper = await scenario.speaker({ host: 30, asn: 500_030 })
      await kestrel.announce([{ prefix: TEN.prefix }])
      await sandpiper.announce([{ prefix: OTHER.prefix }])
      await apply()
      await untilEstablished(scenario.edge, 4)
    })
    afterAll(() => scenario?.stop())

    test('a shutdown tells the peer its message (RFC 9003) and touches no one else', async () => {
      const before = (await sessionsOf(30)).map((session) => session.since)
      await apply({ enabled: false, shutdownMessage: MESSAGE })
      expect(await heard()).toMatch(new RegExp(`Received: Administrative shutdown\\n +Message: +${MESSAGE}\\n`))
      expect((await sessionsOf(10)).map(({ state }) => state)).toEqual(['DISABLED', 'DISABLED'])
      expect((await sessionsOf(30)).map((session) => session.since)).toEqual(before)
      await eventually(async () => expect([...(await scenario.atUpstream()).keys()]).toEqual([OTHER.prefix]))
    })

    // bgpctl prints the reason of a shutdown separately from the error, and it is not parsed.
    test.skipIf(product !== 'bird')(
      'the message of a router that closes its session stands behind the error',
      async () => {
        const lastErrors = async () => (await sessionsOf(30)).map(({ lastError }) => lastError)
        await sandpiper.ask(`disable transit4 "${MESSAGE}"`)
        await eventually(async () =>
          expect(await lastErrors()).toContain(`Received: Administrative shutdown: ${MESSAGE}`),
        )
        await sandpiper.ask('enable transit4')
        await eventually(async () => expect([...(await scenario.atUpstream()).keys()]).toEqual([OTHER.prefix]))
      },
    )

    test('a shutdown outlives a reload, a change of another customer, and a restart of BIRD', async () => {
      const isDown = async () =>
        expect((await sessionsOf(10)).map(({ state }) => state)).toEqual(['DISABLED', 'DISABLED'])
      await scenario.reloadEdge()
      await isDown()
      await apply({ enabled: false, shutdownMessage: MESSAGE }, { exports: 'full' })
      await isDown()
      if (product === 'bird') {
        await scenario.askEdge('down')
        const instance = /^lh-(.*)-edge$/.exec(scenario.network.names.edgeNamespace)![1]!
        await eventually(async () => {
          await ensureNetwork({ instance, directory: scenario.directory })
          await isDown()
        })
      }
      await apply()
      await untilEstablished(scenario.edge, 4)
    })

    test('a shutdown that the edge cannot load leaves the sessions up', async () => {
      const broken = { enabled: false, shutdownMessage: MESSAGE }
      await scenario.breakConf(true)
      try {
        await expect(apply(broken)).rejects.toThrow(EdgeError)
      } finally {
        await scenario.breakConf(false)
      }
      await untilEstablished(scenario.edge, 4)
    })

    // OpenBGPD limits received routes only; it has no table of imported ones.
    test.skipIf(product !== 'bird')(
      'more accepted routes than the import limit close the session, fewer do not',
      { timeout: 60_000 },
      async () => {
        const blackholes = (count: number) => [
          { prefix: TEN.prefix },
          ...Array.from({ length: count }, (_, n) => ({
            prefix: `45.30.10.${n}/32`,
            communities: [[65535, 666]] as const,
          })),
        ]
        const first = async () => (await sessionsOf(10))[0]
        const most = importLimit(receiveLimit(1), 1)
        expect(most).toBe(102)
        await kestrel.announce(blackholes(most - 1))
        await eventually(async () => expect(await first()).toMatchObject({ state: 'ESTABLISHED', accepted: most }))
        await kestrel.announce(blackholes(most + 8))
        await eventually(async () => expect(await first()).toMatchObject({ state: 'DISABLED', tripped: true }))
        await kestrel.announce([{ prefix: TEN.prefix }])
        await apply(withNeighbors({ overLimit: true }))
        await apply()
        await untilEstablished(scenario.edge, 4)
      },
    )

    test.skipIf(product !== 'bird')(
      'no import table is left of a session that was sent a thousand times its limit',
      { timeout: 60_000 },
      async () => {
        await apply(withNeighbors({ receiveLimit: 20 }))
        await untilEstablished(scenario.edge, 4)
        await kestrel.announce(
          Array.from({ length: 20_000 }, (_, n) => ({ prefix: `45.${100 + (n >> 8)}.${n & 255}.0/24` })),
        )
        await eventually(async () => expect((await sessionsOf(10))[0]!.tripped).toBe(true))
        await expect(scenario.askEdge('show route import table lh_c10_v4.ipv4')).rejects.toThrow('No import table')
        await kestrel.announce([{ prefix: TEN.prefix }])
        await apply()
        await untilEstablished(scenario.edge, 4)
      },
    )

    test('a session over its limit is closed, and stays closed until the limit is cleared', async () => {
      await apply(withNeighbors({ receiveLimit: 20 }))
      await untilEstablished(scenario.edge, 4)
      await kestrel.announce(routes(40))
      await eventually(async () =>
        expect((await sessionsOf(10)).map(({ state, tripped = false }) => [state, tripped])).toEqual([
          ['DISABLED', true],
          ['ESTABLISHED', false],
        ]),
      )
      await eventually(async () => expect(await heard()).toMatch(/Received: Maximum number of prefixes reached/))
      // BIRD's own pause was 5 to 60 seconds, doubled each time.
      const held = withNeighbors({ receiveLimit: 20, overLimit: true })
      await apply(held)
      await kestrel.announce([{ prefix: TEN.prefix }])
      await sleep(8_000)
      await apply(held, { exports: 'full' })
      expect((await sessionsOf(10)).map(({ state }) => state)).toEqual(['DISABLED', 'ESTABLISHED'])
      const cleared = performance.now()
      await apply(withNeighbors({ receiveLimit: 20 }))
      await untilEstablished(scenario.edge, 4)
      expect(performance.now() - cleared).toBeLessThan(15_000)
      expect((await sessionsOf(10)).some((session) => session.tripped)).toBe(false)
    })

    test('a blackhole of the portal drops the address here, asks the upstream to, and ends', async () => {
      const hosts = ['45.30.10.7/32', '2d10:10::7/128']
      await apply({ blackholes: hosts })
      await eventually(async () => {
        const upstream = await scenario.atUpstream()
        for (const host of hosts) expect(upstream.get(host)).toContain('(65535,666) (65535,65281)')
        expect(upstream.get(hosts[0]!)).toMatch(/BGP\.as_path: 500000\n/)
        expect(upstream.get(hosts[0]!)).not.toContain('large_community')
      })
      if (product === 'bird') expect(await scenario.askEdge(`show route ${hosts[0]}`)).toContain('blackhole [lh_b10_v4')
      const mine = await scenario.edge.routes(10)
      expect(mine).toContainEqual({
        prefix: hosts[0],
        origin: 500_000,
        accepted: true,
        rejection: null,
        exported: true,
      })
      expect((await sandpiper.ask('show route protocol transit4')).join('\n')).not.toContain('45.30.10.7')
      await apply()
      await eventually(async () => {
        const upstream = await scenario.atUpstream()
        for (const host of hosts) expect(upstream.has(host)).toBe(false)
      })
    })
  })
})
