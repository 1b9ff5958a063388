import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LAB } from '../../../lab/network/index.ts'
import { canonicalState } from './canonical-state.ts'
import { EDGE_METHODS } from '../agent/protocol.ts'
import { createRemoteEdge } from '../agent/remote-edge.ts'
import { serveEdge } from '../agent/serve.ts'
import { HELLO, openTestLink, serveDriver } from '../agent/testing.ts'
import { carriedBy } from './carried.ts'
import {
  ALL_CAPABILITIES,
  type CarriedCustomer,
  type EdgeCapabilities,
  type EdgeCustomer,
  type EdgeDesiredState,
  type EdgeDriver,
} from './index.ts'
import { eventually, PRODUCTS, startScenario, type Scenario } from './scenarios/scenario.ts'
import { createSimulatedEdge } from './simulated/index.ts'
import { desiredState, within } from './testing/states.ts'

/** An edge to test, of any product. */
interface Subject {
  readonly kind: EdgeDriver['kind']
  readonly by: 'here' | 'of an agent'
  readonly can: EdgeCapabilities
  readonly skipped: string | null
  readonly start: () => Promise<{ edge: EdgeDriver; reopen: () => EdgeDriver; stop: () => Promise<void> }>
}

const LOCAL: readonly Subject[] = [
  {
    kind: 'simulated',
    by: 'here',
    can: ALL_CAPABILITIES,
    skipped: null,
    start: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'lh-edge-'))
      const open = () => createSimulatedEdge({ file: join(directory, 'edge.json'), sessionDelayMs: 100 })
      return { edge: open(), reopen: open, stop: () => rm(directory, { recursive: true }) }
    },
  },
  ...PRODUCTS.map(({ product, skipped, can }) => ({
    kind: product,
    by: 'here' as const,
    can,
    skipped,
    start: async () => {
      const scenario: Scenario = await startScenario(product)
      const speaker = await scenario.speaker({ host: 10, asn: 500_010 })
      await speaker.announce([{ prefix: '45.30.10.0/24' }, { prefix: '2d10:10::/32' }])
      return { edge: scenario.edge, reopen: () => scenario.reopen(), stop: () => scenario.stop() }
    },
  })),
]

/** The same edge, offered by an agent. */
const overLink = (subject: Subject): Subject => ({
  ...subject,
  by: 'of an agent',
  start: async () => {
    const local = await subject.start()
    const opened = await openTestLink(EDGE_METHODS, serveDriver(serveEdge(local.edge, async () => HELLO)))
    return {
      ...local,
      edge: createRemoteEdge(local.edge.kind, local.edge, opened.link),
      async stop() {
        await opened.close()
        await local.stop()
      },
    }
  },
})

const SUBJECTS: readonly Subject[] = [...LOCAL, ...LOCAL.map(overLink)]

/** Ignores the order of a customer's prefixes. */
const sorted = (carried: readonly CarriedCustomer[] | null) =>
  carried?.map((one) => ({ ...one, accept: one.accept.toSorted((a, b) => a.prefix.localeCompare(b.prefix)) }))

const OTHERS = [{ family: 4, localAddress: LAB.segment[4].gateway, peerAddress: '203.0.113.11' }] as const
const CUSTOMER: EdgeCustomer = {
  id: 10,
  asn: 500_010,
  enabled: true,
  neighbors: [
    { family: 4, localAddress: LAB.segment[4].gateway, peerAddress: '203.0.113.10' },
    { family: 6, localAddress: LAB.segment[6].gateway, peerAddress: '2001:db8:100::a' },
  ],
  accept: [
    { prefix: '45.30.10.0/24', origin: 500_010 },
    { prefix: '2d10:10::/32', origin: 500_010 },
  ],
  statics: [],
  exports: 'default',
}
const stateWith = (...customers: readonly EdgeCustomer[]): EdgeDesiredState => ({
  localAsn: LAB.operatorAsn,
  routerId: LAB.routerId,
  customers,
})

const canonicalText = (state: EdgeDesiredState): string => JSON.stringify(canonicalState(state))

describe.each(SUBJECTS)('an edge: $kind $by', ({ kind, can, skipped, start }) => {
  describe.skipIf(skipped)(`keeps its promises${skipped ? ` (skipped: ${skipped})` : ''}`, () => {
    let subject: Awaited<ReturnType<Subject['start']>>
    let edge: EdgeDriver
    beforeAll(async () => {
      subject = await start()
      edge = subject.edge
    })
    afterAll(() => subject?.stop())

    test('says what it is, and that it never had a state', async () => {
      expect(edge.kind).toBe(kind)
      const running = await edge.running()
      expect(running.generation).toBeNull()
      expect(running.version).not.toBe('')
      expect(await edge.sessions()).toEqual([])
    })

    test('tells of its sessions towards other networks, which no load touches', async () => {
      const reported = async () =>
        (await edge.upstreams()).map(({ name, asn, address, state }) => ({ name, asn, address, state }))
      const established = ([4, 6] as const).map((family) => ({
        name: `upstream1_v${family}`,
        asn: LAB.upstreamAsn,
        address: LAB.link[family].upstream,
        state: 'ESTABLISHED',
      }))
      await eventually(async () => expect(await reported()).toEqual(established))
      const before = await eventually(async () => {
        const upstreams = await edge.upstreams()
        for (const { received } of upstreams) expect(received).toBeGreaterThan(5)
        return upstreams
      })
      for (const { since } of before) expect(Math.abs(Date.now() - since!.getTime())).toBeLessThan(120_000)
      await edge.apply(stateWith(CUSTOMER))
      await eventually(async () => expect((await edge.upstreams()).map(({ exported }) => exported)).toEqual([1, 1]))
      expect((await edge.upstreams()).map(({ since }) => since)).toEqual(before.map(({ since }) => since))
      await edge.apply(stateWith())
    })

    test('runs what was applied, and says so under the digest of the state', async () => {
      const state = stateWith(CUSTOMER)
      expect(await edge.apply(state)).toEqual({ generation: edge.generationOf(state), changed: true })
      expect((await edge.running()).generation).toBe(edge.generationOf(state))
    })

    test('changes nothing when it runs this already, however the state is spelled', async () => {
      const respelled: EdgeCustomer = {
        ...CUSTOMER,
        neighbors: CUSTOMER.neighbors.map((n) => ({ ...n, peerAddress: n.peerAddress.toUpperCase() })).toReversed(),
        accept: [...CUSTOMER.accept, ...CUSTOMER.accept.toReversed()],
      }
      expect(await edge.apply(stateWith(respelled))).toMatchObject({ changed: false })
    })

    test('establishes the sessions and takes the approved routes', async () => {
      await eventually(async () => {
        const sessions = await edge.sessions()
        expect(sessions.map(({ customerId, family, state }) => [customerId, family, state])).toEqual([
          [10, 4, 'ESTABLISHED'],
          [10, 6, 'ESTABLISHED'],
        ])
        for (const session of sessions) {
          expect(session).toMatchObject({ received: 1, accepted: 1, exported: 1 })
          expect(Math.abs(Date.now() - session.since!.getTime())).toBeLessThan(60_000)
        }
      })
      // The neighbor is notified a moment after the count.
      await eventually(async () =>
        expect(await edge.routes(10)).toEqual([
          { prefix: '45.30.10.0/24', origin: 500_010, accepted: true, rejection: null, exported: true },
          { prefix: '2d10:10::/32', origin: 500_010, accepted: true, rejection: null, exported: true },
        ]),
      )
    })

    test.skipIf(!can.bfd)('turns BFD on and off without a restart of the session, and says how it is', async () => {
      const reported = async () =>
        (await edge.sessions()).map(({ family, state, since, bfd }) => ({ family, state, since, bfd }))
      const before = await reported()
      expect(before.map(({ bfd }) => bfd)).toEqual([undefined, undefined])
      const neighbors = CUSTOMER.neighbors.map((one) => (one.family === 4 ? { ...one, bfd: true } : one))
      await edge.apply(stateWith({ ...CUSTOMER, neighbors }))
      // The simulator's routers run BFD; the scenario's router does not.
      await eventually(async () =>
        expect(await reported()).toEqual([{ ...before[0], bfd: kind === 'simulated' ? 'UP' : 'NO_ANSWER' }, before[1]]),
      )
      await edge.apply(stateWith(CUSTOMER))
      await eventually(async () => expect(await reported()).toEqual(before))
    })

    test.skipIf(!can.statics)('tells what it originates for a customer, and that it announces it', async () => {
      const statics = [{ prefix: '45.30.19.0/24', nextHop: '203.0.113.10' }]
      await edge.apply(stateWith({ ...CUSTOMER, statics }))
      await eventually(async () =>
        expect(await edge.routes(10)).toContainEqual({
          prefix: '45.30.19.0/24',
          origin: LAB.operatorAsn,
          accepted: true,
          rejection: null,
          exported: true,
        }),
      )
      await eventually(async () => expect((await edge.upstreams()).map(({ exported }) => exported)).toEqual([2, 1]))
      await edge.apply(stateWith(CUSTOMER))
      await eventually(async () => expect(await edge.routes(10)).toHaveLength(2))
    })

    test('tells that it refused nothing from upstreams that send sound paths, and that its log can be read', async () => {
      expect(await edge.refusedFromUpstreams()).toEqual({ logError: null, rejections: [] })
    })

    test('hands out no more routes than asked for, and none of a customer it does not know', async () => {
      expect(await edge.routes(10, 1)).toHaveLength(1)
      expect(await edge.routes(11)).toEqual([])
    })

    test('shows what a customer announces with path, next hop and time, bounded, and says when there is more', async () => {
      const { routes, complete } = await edge.receivedRoutes(10, 100)
      expect(complete).toBe(true)
      const paths = routes.map((route) => ({ ...route, since: undefined }))
      const shared = {
        asPath: '500010',
        since: undefined,
        origin: 500_010,
        communities: [],
        accepted: true,
        rejection: null,
      }
      expect(paths).toEqual([
        { ...shared, prefix: '45.30.10.0/24', nextHop: '203.0.113.10' },
        { ...shared, prefix: '2d10:10::/32', nextHop: '2001:db8:100::a' },
      ])
      for (const { since } of routes) expect(Math.abs(Date.now() - since!.getTime())).toBeLessThan(60_000)
      expect(await edge.receivedRoutes(10, 1)).toMatchObject({ routes: [{}], complete: false })
      expect(await edge.receivedRoutes(11, 100)).toEqual({ routes: [], complete: true })
    })

    test('shows what a customer is sent, and of it what covers a prefix or is inside it', async () => {
      const sent = async (within?: string, limit = 100) =>
        (await edge.sentRoutes(10, { ...(within !== undefined && { within }), limit })).routes.map(
          ({ prefix, asPath, origin }) => [prefix, asPath, origin],
        )
      const four = ['0.0.0.0/0', '500000', 500_000]
      expect(await sent()).toEqual([four, ['::/0', '500000', 500_000]])
      expect(await sent('8.8.8.0/24')).toEqual([four])
      expect(await sent(undefined, 1)).toEqual([four])
      expect((await edge.sentRoutes(11, { limit: 100 })).routes).toEqual([])
      await edge.apply(stateWith({ ...CUSTOMER, exports: 'full' }))
      await eventually(async () => {
        const { routes, complete } = await edge.sentRoutes(10, { limit: 5 })
        expect([routes.length, complete]).toEqual([5, false])
      })
      const first = await eventually(async () => {
        const [route] = (await edge.sentRoutes(10, { within: '45.31.0.0/16', limit: 1 })).routes
        expect(route!.asPath).toMatch(/^500000 500001 /)
        return route
      })
      const inside = (await edge.sentRoutes(10, { within: first!.prefix, limit: 100 })).routes
      expect(inside.map((route) => route.prefix)).toContain(first!.prefix)
      await edge.apply(stateWith(CUSTOMER))
    })

    test('knows which route it uses for a destination, and whose it is', async () => {
      await eventually(async () =>
        expect(await edge.candidates('45.30.10.7/32', 10)).toMatchObject({
          routes: [{ prefix: '45.30.10.0/24', best: true, source: 'customer', customerId: 10, localPreference: 200 }],
          complete: true,
        }),
      )
      await eventually(async () =>
        expect((await edge.candidates('2d10:10::/32', 10)).routes).toMatchObject([
          { prefix: '2d10:10::/32', best: true },
        ]),
      )
      const upstream = await edge.candidates('45.31.1.1/32', 10)
      expect(upstream.routes).toMatchObject([{ best: true, source: 'upstream', customerId: null }])
      expect(upstream.routes[0]!.asPath).toMatch(/^500001 /)
      expect(await edge.candidates('8.8.8.8/32', 10)).toEqual({ routes: [], complete: true })
    })

    test('refuses what it cannot express, and keeps running what it ran', async () => {
      const before = await edge.running()
      const injected = stateWith({ ...CUSTOMER, password: '"; } #' })
      await expect(edge.apply(injected)).rejects.toMatchObject({ name: 'EdgeError', kind: 'refused' })
      expect(() => edge.generationOf(injected)).toThrow(expect.objectContaining({ kind: 'refused' }) as Error)
      expect(await edge.running()).toEqual(before)
    })

    test('keeps a session through a change of its prefixes', async () => {
      const before = await edge.sessions()
      await edge.apply(stateWith({ ...CUSTOMER, accept: CUSTOMER.accept.slice(0, 1) }))
      await eventually(async () => expect((await edge.routes(10)).filter((route) => route.accepted)).toHaveLength(1))
      expect((await edge.sessions()).map((session) => session.since)).toEqual(before.map((session) => session.since))
    })

    test('holds a session down by intent', async () => {
      await edge.apply(stateWith({ ...CUSTOMER, enabled: false }))
      const states = (await edge.sessions()).map((session) => session.state)
      expect(states).toEqual(['DISABLED', 'DISABLED'])
      expect(await edge.routes(10)).toEqual([])
    })

    test('shuts sessions down with a message, keeps one alone down, and brings both back', async () => {
      const states = async () => (await edge.sessions()).map((session) => session.state)
      const message = 'Maintenance – back at 14:00'
      await edge.apply(stateWith({ ...CUSTOMER, enabled: false, shutdownMessage: message }))
      expect(await states()).toEqual(['DISABLED', 'DISABLED'])
      expect((await edge.carried())?.[0]).toMatchObject({ id: 10, enabled: false })
      const [four, six] = CUSTOMER.neighbors
      await edge.apply(stateWith({ ...CUSTOMER, neighbors: [{ ...four!, overLimit: true }, six!] }))
      await eventually(async () => expect(await states()).toEqual(['DISABLED', 'ESTABLISHED']))
      expect((await edge.carried())?.[0]).toMatchObject({ id: 10, enabled: true })
      await edge.apply(stateWith(CUSTOMER))
      await eventually(async () => expect(await states()).toEqual(['ESTABLISHED', 'ESTABLISHED']))
    })

    test('originates the blackholes of a customer, and says that it announces them', async () => {
      const hosts = ['45.30.10.7/32', '2d10:10::7/128']
      await edge.apply(stateWith({ ...CUSTOMER, blackholes: hosts }))
      const route = { origin: LAB.operatorAsn, accepted: true, rejection: null, exported: true }
      for (const prefix of hosts)
        await eventually(async () => expect(await edge.routes(10)).toContainEqual({ prefix, ...route }))
      const networks = stateWith({ ...CUSTOMER, blackholes: ['45.30.10.0/24'] })
      await expect(edge.apply(networks)).rejects.toMatchObject({ kind: 'refused' })
    })

    test('serves calls that come at once one after the other; the last one stands', async () => {
      const states = ['default', 'full', 'default-and-full'].map((exports) =>
        stateWith({ ...CUSTOMER, exports: exports as EdgeCustomer['exports'] }),
      )
      await Promise.all(states.map((state) => edge.apply(state)))
      expect(states.map((state) => edge.generationOf(state))).toContain((await edge.running()).generation)
    })

    test('remembers its state when the portal starts again', async () => {
      await edge.apply(stateWith(CUSTOMER))
      await sleep(10)
      const again = subject.reopen()
      expect((await again.running()).generation).toBe(edge.generationOf(stateWith(CUSTOMER)))
      expect(await again.apply(stateWith(CUSTOMER))).toMatchObject({ changed: false })
      await again.close()
    })

    test('says what it carries, also when no one remembers having told it', async () => {
      const statics = can.statics ? [{ prefix: '45.30.20.0/24', nextHop: '203.0.113.10' }] : []
      const state = stateWith(
        { ...CUSTOMER, statics },
        { ...CUSTOMER, id: 11, enabled: false, neighbors: OTHERS, accept: CUSTOMER.accept.slice(0, 1) },
      )
      await edge.apply(state)
      const carried = carriedBy(canonicalState(state))
      expect(carried[0]).toMatchObject({ id: 10, enabled: true, statics: statics.map(({ prefix }) => prefix) })
      expect(sorted(await edge.carried())).toEqual(sorted(carried))
      await sleep(10)
      expect(sorted(await subject.reopen().carried())).toEqual(sorted(carried))
    })

    test('says what it validates with, or that it validates nothing', async () => {
      const rpki = await edge.rpki()
      expect(rpki).toEqual(kind === 'simulated' ? null : { vrps: 0, caches: [] })
    })

    test('gives equal states equal digests and unequal ones unequal digests', () => {
      const held = (state: EdgeDesiredState) => within(state, can)
      const ours = desiredState.map((state) => ({ ...state, localAsn: LAB.operatorAsn }))
      const property = fc.property(ours.map(held), ours.map(held), (a, b) => {
        const shuffled = { ...a, customers: a.customers.toReversed() }
        expect(edge.generationOf(shuffled)).toBe(edge.generationOf(a))
        expect(edge.generationOf(a) === edge.generationOf(b)).toBe(canonicalText(a) === canonicalText(b))
      })
      fc.assert(property, { numRuns: 50 })
    })

    test('pins the neighbours that it is given: adds, changes and removes, and nothing when all is there', async () => {
      const gateways = { 4: LAB.segment[4].gateway, 6: LAB.segment[6].gateway }
      const host = (address: string, mac: string) => ({
        address,
        mac,
        gateway: gateways[address.includes(':') ? 6 : 4],
      })
      const pinned = async () =>
        Object.fromEntries((await edge.pinnedNeighbors()).map(({ address, mac }) => [address, mac]))
      const first = [host('203.0.113.20', '02:4c:00:00:00:14'), host('2001:db8:100::14', '02:4c:00:00:00:14')]
      expect(await edge.pinNeighbors(first)).toEqual({ changed: 2 })
      expect(await edge.pinNeighbors(first)).toEqual({ changed: 0 })
      expect(await pinned()).toEqual({
        '203.0.113.20': '02:4c:00:00:00:14',
        '2001:db8:100::14': '02:4c:00:00:00:14',
      })
      const second = [host('2001:db8:100::14', '02:4c:00:00:00:15'), host('fe80::4c:ff:fe00:15', '02:4c:00:00:00:15')]
      expect(await edge.pinNeighbors(second.map((one) => ({ ...one, gateway: gateways[6] })))).toEqual({ changed: 3 })
      expect(await pinned()).toEqual({
        '2001:db8:100::14': '02:4c:00:00:00:15',
        'fe80::4c:ff:fe00:15': '02:4c:00:00:00:15',
      })
      expect(await edge.pinNeighbors([])).toEqual({ changed: 2 })
      expect(await edge.pinnedNeighbors()).toEqual([])
    })

    test('drops what is no longer wanted', async () => {
      await edge.apply(stateWith())
      expect(await edge.sessions()).toEqual([])
      expect(await edge.routes(10)).toEqual([])
    })
  })
})
