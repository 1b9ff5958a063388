import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const TEN = { prefix: '45.30.10.0/24', origin: 500_010 }
const ELEVEN = { prefix: '45.30.11.0/24', origin: 500_010 }
const OTHER = { prefix: '45.30.30.0/24', origin: 500_030 }

describe.each(PRODUCTS)('an edge that is $product', ({ product, skipped, notHere, can }) => {
  describe.skipIf(skipped)(`through a customer's life${notHere}`, () => {
    let scenario: Scenario
    let kestrel: Speaker
    let sandpiper: Speaker
    const password = can.md5 ? 'x!#%{};x' : undefined
    const apply = (accept: (typeof TEN)[], enabled = true, drained = false) =>
      scenario.edge.apply(
        stateOf(
          customerOf(kestrel, { id: 10, asn: 500_010, accept, enabled, drained }),
          customerOf(sandpiper, {
            id: 30,
            asn: 500_030,
            accept: [OTHER],
            exports: 'full',
            ...(password !== undefined && { password }),
          }),
        ),
      )
    const atUpstream = async (prefix: string) => (await scenario.atUpstream()).has(prefix)
    const sinceOf = async (customerId: number) =>
      (await scenario.edge.sessions())
        .filter((session) => session.customerId === customerId)
        .map((session) => session.since)

    const preference = async () => (await scenario.edge.candidates(ELEVEN.prefix, 10)).routes[0]?.localPreference

    beforeAll(async () => {
      scenario = await startScenario(product)
      kestrel = await scenario.speaker({ host: 10, asn: 500_010 })
      sandpiper = await scenario.speaker({ host: 30, asn: 500_030, ...(password !== undefined && { password }) })
      await kestrel.announce([{ prefix: TEN.prefix }, { prefix: ELEVEN.prefix }])
      await sandpiper.announce([{ prefix: OTHER.prefix }])
      await apply([])
      await untilEstablished(scenario.edge, 4)
    })
    afterAll(() => scenario?.stop())

    test('nothing is accepted before it was approved (RFC 8212)', async () => {
      await eventually(async () => expect(await atUpstream(OTHER.prefix)).toBe(true))
      await eventually(async () =>
        expect(outcomes(await scenario.edge.routes(10))).toEqual({ [TEN.prefix]: 7, [ELEVEN.prefix]: 7 }),
      )
      expect(await atUpstream(TEN.prefix)).toBe(false)
    })

    test('an approval reaches the upstream and disturbs no one', async () => {
      const before = await sinceOf(30)
      await apply([TEN])
      await eventually(async () => expect(await atUpstream(TEN.prefix)).toBe(true))
      expect(await atUpstream(ELEVEN.prefix)).toBe(false)
      expect(await sinceOf(30)).toEqual(before)
    })

    test('a withdrawn approval takes the route away without a touch of the session', async () => {
      const before = await sinceOf(10)
      await apply([ELEVEN])
      await eventually(async () => expect(await atUpstream(TEN.prefix)).toBe(false))
      await eventually(async () => expect(await atUpstream(ELEVEN.prefix)).toBe(true))
      expect(await sinceOf(10)).toEqual(before)
    })

    test('a route that the customer withdraws is gone at the upstream', async () => {
      await kestrel.announce([{ prefix: TEN.prefix }])
      await eventually(async () => expect(await atUpstream(ELEVEN.prefix)).toBe(false))
      await kestrel.announce([{ prefix: TEN.prefix }, { prefix: ELEVEN.prefix }])
      await eventually(async () => expect(await atUpstream(ELEVEN.prefix)).toBe(true))
    })

    test('a customer hears what it asked for: the default route alone, or the full table without it', async () => {
      const heard = async (speaker: Speaker) =>
        (await speaker.ask('show route protocol transit4'))
          .map((line) => line.split(' ')[0]!)
          .filter((p) => p.includes('/'))
      await eventually(async () => expect(await heard(kestrel)).toEqual(['0.0.0.0/0']))
      await eventually(async () => {
        const full = await heard(sandpiper)
        expect(full).toContain('45.31.128.0/17')
        expect(full).toContain(ELEVEN.prefix)
        expect(full).not.toContain('0.0.0.0/0')
      })
    })

    test('routes of other customers come with our own address as next hop, for the ports are isolated', async () => {
      await eventually(async () => {
        const route = await sandpiper.ask(`show route ${ELEVEN.prefix} all`)
        expect(route.join('\n')).toContain('BGP.next_hop: 203.0.113.1\n')
      })
    })

    test('a customer cannot dress its route up with our own communities', async () => {
      await kestrel.announce([
        {
          prefix: ELEVEN.prefix,
          largeCommunities: [
            [500_000, 1, 2],
            [500_000, 2, 77],
          ],
        },
      ])
      await eventually(async () => {
        const { routes } = await scenario.edge.candidates(ELEVEN.prefix, 10)
        expect(routes).toMatchObject([{ source: 'customer', customerId: 10 }])
        const heard = (await sandpiper.ask(`show route ${ELEVEN.prefix} all`)).join('\n')
        expect(heard).toContain('BGP.large_community: (500000, 1, 1)\n')
      })
    })

    test('graceful shutdown lowers the preference and keeps the route (RFC 8326)', async () => {
      await kestrel.announce([{ prefix: ELEVEN.prefix, communities: [[65535, 0]] }])
      await eventually(async () => expect(await preference()).toBe(0))
    })

    test('maintenance asks every neighbour to look for another way, and no session falls (RFC 8326)', async () => {
      const before = await sinceOf(10)
      const tagged = async (expected: boolean) => {
        const atUpstream = (await scenario.atUpstream()).get(OTHER.prefix)
        const atCustomer = (await sandpiper.ask('show route 45.31.128.0/17 all')).join('\n')
        for (const route of [atUpstream, atCustomer]) expect(route?.includes('(65535,0)')).toBe(expected)
      }
      await scenario.setMaintenance(true)
      await eventually(() => tagged(true))
      await scenario.setMaintenance(false)
      await eventually(() => tagged(false))
      expect(await sinceOf(10)).toEqual(before)
    })

    test('a drained customer becomes a last resort here and at the upstream, and no session falls (RFC 8326)', async () => {
      await kestrel.announce([{ prefix: ELEVEN.prefix }])
      const before = await sinceOf(10)
      const isDrained = async (expected: boolean) => {
        const there = (await scenario.atUpstream()).get(ELEVEN.prefix)
        const heard = (await kestrel.ask('show route 0.0.0.0/0 all')).join('\n')
        expect((await preference()) === 0).toBe(expected)
        for (const route of [there, heard]) expect(route?.includes('(65535,0)')).toBe(expected)
      }
      await eventually(() => isDrained(false))
      await apply([ELEVEN], true, true)
      await eventually(() => isDrained(true))
      await apply([ELEVEN])
      await eventually(() => isDrained(false))
      expect(await sinceOf(10)).toEqual(before)
    })

    test('a suspended customer gets a Cease (RFC 4486), is shown as disabled, and its routes are gone; it comes back by itself', async () => {
      await apply([ELEVEN], false)
      await eventually(async () => expect(await atUpstream(ELEVEN.prefix)).toBe(false))
      const states = (await scenario.edge.sessions()).map(({ customerId, state }) => `${customerId} ${state}`)
      expect(states).toEqual(['10 DISABLED', '10 DISABLED', '30 ESTABLISHED', '30 ESTABLISHED'])
      expect((await kestrel.ask('show protocols all transit4')).join('\n')).toMatch(
        product === 'bird' ? /Received: Peer de-configured/ : /Received: Administrative shutdown/,
      )
      await apply([ELEVEN], true)
      await eventually(async () => expect(await atUpstream(ELEVEN.prefix)).toBe(true))
    })

    test.skipIf(!can.md5)(
      'a session whose passwords differ stays down and leaves the others up (RFC 2385)',
      async () => {
        const customer = customerOf(sandpiper, { id: 30, asn: 500_030, accept: [OTHER], password: 'another' })
        await scenario.edge.apply(stateOf(customerOf(kestrel, { id: 10, asn: 500_010, accept: [ELEVEN] }), customer))
        await eventually(async () => expect(await atUpstream(OTHER.prefix)).toBe(false))
        expect(await atUpstream(ELEVEN.prefix)).toBe(true)
        await apply([ELEVEN])
        await eventually(async () => expect(await atUpstream(OTHER.prefix)).toBe(true))
      },
    )

    test('a customer who sends far more than it may is cut off and the reason is shown', async () => {
      const flood = Array.from({ length: 300 }, (_, n) => ({ prefix: `45.${100 + (n >> 8)}.${n & 255}.0/24` }))
      await kestrel.announce(flood)
      await eventually(async () => {
        const session = (await scenario.edge.sessions()).find(
          ({ customerId, family }) => customerId === 10 && family === 4,
        )
        expect(session?.state).not.toBe('ESTABLISHED')
        expect(session?.lastError).toMatch(/limit/i)
      })
      await kestrel.announce([{ prefix: ELEVEN.prefix }])
    })

    test('a customer who is removed leaves nothing behind', async () => {
      await scenario.edge.apply(stateOf(customerOf(kestrel, { id: 10, asn: 500_010, accept: [ELEVEN] })))
      await eventually(async () => expect(await atUpstream(OTHER.prefix)).toBe(false))
      expect((await scenario.edge.sessions()).map((session) => session.customerId)).toEqual([10, 10])
      expect(await scenario.edge.routes(30)).toEqual([])
    })
  })
})
