import type { AccountId } from '../../kernel/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALL_CAPABILITIES } from '../../drivers/edge/index.ts'
import { createSimulatedEdge } from '../../drivers/edge/simulated/index.ts'
import { parsePrefix } from '../../kernel/prefix.ts'
import { desiredEdge, type AdvertisedPrefix, type ConnectionDetails } from './desired.ts'
import { ANNOUNCEMENT_TYPES, EXPORTS } from '../states.ts'

const OPERATOR = { asn: 500_000, routerId: '192.0.2.0' }
const V4 = (host: number) => ({ family: 4 as const, address: `203.0.113.${host}`, gateway: '203.0.113.1' })
const V6 = (host: number) => ({ family: 6 as const, address: `2001:db8:100::${host}`, gateway: '2001:db8:100::1' })

/** Customer `n` holds 45.n.0.0/16 and 2d10:n::/32 and parts of them, as the ownership rules allow. */
const anyConnection = (n: number): fc.Arbitrary<ConnectionDetails> =>
  fc.record({
    id: fc.constant(n),
    accountId: fc.constant(n as AccountId),
    // Includes our own ASN: an operator may take over a customer's ASN.
    verifiedAsn: fc.option(fc.constantFrom(500_000 + n, 500_000 + n, OPERATOR.asn)),
    enabled: fc.boolean(),
    running: fc.boolean(),
    exports: fc.constantFrom(...EXPORTS),
    password: fc.option(fc.constant('secret')),
    addresses: fc.constantFrom([], [V4(n + 1)], [V4(n + 1), V6(n + 1)]),
    prefixes: fc
      .uniqueArray(fc.nat({ max: 30 }), { maxLength: 6 })
      .chain((parts) => fc.tuple(...parts.map((part) => anyPrefix(n, part)))),
  })

const anyPrefix = (n: number, part: number): fc.Arbitrary<AdvertisedPrefix> =>
  fc.record({
    id: fc.constant(n * 100 + part),
    value: fc.constant(part % 2 ? `45.${n}.${part}.0/24` : `2d10:${n}:${part}::/48`),
    type: fc.constantFrom(...ANNOUNCEMENT_TYPES),
    origin: fc.option(fc.integer({ min: 1, max: 4_294_967_295 })),
  })

const anyWorld = fc.tuple(...[1, 2, 3, 4].map(anyConnection))

describe('what the edge should run', () => {
  test('is the same whatever order the rows come in', () => {
    fc.assert(
      fc.property(anyWorld, (connections) => {
        const shuffled = connections
          .toReversed()
          .map((connection) => ({ ...connection, prefixes: connection.prefixes.toReversed() }))
        expect(desiredEdge(OPERATOR, shuffled)).toEqual(desiredEdge(OPERATOR, connections))
      }),
    )
  })

  test('is the very same object for a customer of whom nothing changed, and another for one of whom anything did', () => {
    const one = fc.sample(anyConnection(1), 1)[0]!
    const connection = { ...one, verifiedAsn: 500_001, addresses: [V4(2)], enabled: true, exports: 'default' as const }
    const other = { ...fc.sample(anyConnection(2), 1)[0]!, verifiedAsn: 500_002, addresses: [V4(3)], enabled: true }
    const [first, second] = desiredEdge(OPERATOR, [connection, other]).state.customers
    const changed = { ...connection, exports: 'full' as const }
    const next = desiredEdge(OPERATOR, [changed, other]).state.customers
    expect(next[1]).toBe(second)
    expect(next[0]).toEqual({ ...first, exports: 'full' })
    const withBfd = { ...other, bfd: [4 as const] }
    const ofWithBfd = (edge?: Parameters<typeof desiredEdge>[2]) =>
      desiredEdge(OPERATOR, [withBfd], edge).state.customers[0]!
    expect(ofWithBfd().neighbors[0]).toMatchObject({ bfd: true })
    const capabilities = { ...ALL_CAPABILITIES, bfd: false }
    expect(ofWithBfd({ capabilities, drained: false }).neighbors).toEqual(second!.neighbors)
    expect(ofWithBfd({ capabilities, drained: true })).toMatchObject({ drained: true })
    expect(ofWithBfd()).not.toHaveProperty('drained', !withBfd.drained)
  })

  test('is always something that an edge can express', () => {
    const edge = createSimulatedEdge()
    fc.assert(
      fc.property(anyWorld, (connections) => {
        expect(edge.generationOf(desiredEdge(OPERATOR, connections).state)).toMatch(/^[0-9a-f]+$/)
      }),
    )
  })

  test('leaves out what an edge product cannot do, and nothing else of other customers', () => {
    const capabilities = { ...ALL_CAPABILITIES, statics: false, md5: false, bfd: false }
    const edge = createSimulatedEdge({ capabilities })
    fc.assert(
      fc.property(anyWorld, (connections) => {
        const asked = connections.map((connection) => ({ ...connection, bfd: [4] as const }))
        const { state } = desiredEdge(OPERATOR, asked, { capabilities, drained: false })
        expect(edge.generationOf(state)).toMatch(/^[0-9a-f]+$/)
        const whole = desiredEdge(OPERATOR, connections).state.customers
        expect(state.customers.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
        for (const [at, customer] of state.customers.entries()) {
          const { accept, enabled, password } = whole[at]!
          expect(customer.accept).toEqual(accept)
          // Without its key a session would be open to anybody.
          expect(customer.enabled).toBe(enabled && password === undefined)
        }
      }),
    )
  })

  test('carries exactly the prefixes that it claims to carry, each on a session of its family and a verified ASN', () => {
    fc.assert(
      fc.property(anyWorld, (connections) => {
        const { state, advertised } = desiredEdge(OPERATOR, connections)
        const inState = state.customers.flatMap((customer) => [
          ...customer.accept.map((entry) => entry.prefix),
          ...customer.statics.map((entry) => entry.prefix),
        ])
        const claimed = connections
          .flatMap((connection) => connection.prefixes)
          .filter((prefix) => advertised.flat().includes(prefix.id))
          .map((prefix) => prefix.value)
        expect(inState.toSorted()).toEqual(claimed.toSorted())
        for (const customer of state.customers) {
          const facts = connections.find((connection) => connection.id === customer.id)!
          expect(customer.asn).toBe(facts.verifiedAsn)
          const families = customer.neighbors.map((neighbor) => neighbor.family)
          for (const { prefix } of [...customer.accept, ...customer.statics])
            expect(families).toContain(parsePrefix(prefix).family)
        }
      }),
    )
  })

  test('marks the prefixes that have a ROA for the edge to check, unless the operator leaves an edge without VRPs open', () => {
    const prefixes = [
      { id: 1, value: '45.1.1.0/24', type: 'ORIGIN' as const, origin: 500_001, hasRoa: true },
      { id: 2, value: '45.1.2.0/24', type: 'ORIGIN' as const, origin: 500_001, hasRoa: false },
    ]
    const connection = { ...fc.sample(anyConnection(1), 1)[0]!, prefixes, verifiedAsn: 500_001, addresses: [V4(2)] }
    const marked = (operator: Parameters<typeof desiredEdge>[0]) =>
      desiredEdge(operator, [connection]).state.customers[0]!.accept.map(({ roa }) => roa)
    expect(marked(OPERATOR)).toEqual([true, undefined])
    expect(marked({ ...OPERATOR, withoutVrps: 'open' })).toEqual([undefined, undefined])
  })

  test('does not originate the space of a router that does not run, and keeps its session and its own prefixes', () => {
    const prefixes = [
      { id: 1, value: '45.1.0.0/24', type: 'STATIC' as const, origin: OPERATOR.asn },
      { id: 2, value: '45.1.2.0/24', type: 'ORIGIN' as const, origin: 500_001 },
    ]
    const connection = { ...fc.sample(anyConnection(1), 1)[0]!, prefixes, verifiedAsn: 500_001, enabled: true }
    const at = (running: boolean) => desiredEdge(OPERATOR, [{ ...connection, running, addresses: [V4(2)] }])
    expect(at(true).advertised).toEqual([[1, 2]])
    expect(at(false).advertised).toEqual([[2]])
    expect(at(false).state.customers[0]).toMatchObject({ statics: [], accept: [{ prefix: '45.1.2.0/24' }] })
  })
})
