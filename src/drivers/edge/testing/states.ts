import fc from 'fast-check'
import { formatAddress, formatPrefix, networkMask, type Family } from '../../../kernel/prefix.ts'
import type { EdgeCapabilities, EdgeCustomer, EdgeDesiredState } from '../index.ts'

/** Desired states for the drivers' tests: valid ones, and ones that an attacker would try. */

const address = (family: Family) =>
  fc
    .bigInt({ min: 1n, max: family === 4 ? 0xdfff_ffffn : (1n << 128n) - 1n })
    .map((value) => formatAddress({ family, value }))

const prefix = (family: Family) =>
  fc
    .record({
      value: fc.bigInt({ min: 0n, max: family === 4 ? 0xffff_ffffn : (1n << 128n) - 1n }),
      length: fc.integer({ min: 1, max: family === 4 ? 32 : 128 }),
    })
    .map(({ value, length }) => formatPrefix({ family, length, network: value & networkMask(family, length) }))

const hostOf4 = address(4).map((one) => `${one}/32`)
const hosts = fc.uniqueArray(hostOf4, { maxLength: 3 })
const limit = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined })
const message = fc.stringMatching(/^[!#-[\]-~ äß漢]{1,40}$/)

const asn = fc.integer({ min: 1, max: 4_294_967_295 })
const anyFamily = fc.constantFrom<Family>(4, 6)

const neighbor = (family: Family, host: number) =>
  family === 4
    ? { family, localAddress: '203.0.113.1', peerAddress: `203.0.${113 + (host >> 8)}.${host & 255}` }
    : { family, localAddress: '2001:db8:100::1', peerAddress: `2001:db8:100::${(host + 16).toString(16)}` }

const customer = (index: number): fc.Arbitrary<EdgeCustomer> =>
  fc
    .record({
      asn,
      enabled: fc.boolean(),
      drained: fc.boolean(),
      shutdownMessage: fc.option(message, { nil: undefined }),
      blackholes: hosts,
      receiveLimit: limit,
      overLimit: fc.boolean(),
      bfd: fc.boolean(),
      families: fc.uniqueArray(anyFamily, { maxLength: 2 }),
      accept: fc.array(fc.record({ prefix: anyFamily.chain(prefix), origin: asn, roa: fc.boolean() }), {
        maxLength: 8,
      }),
      exports: fc.constantFrom('default', 'full', 'default-and-full'),
      password: fc.option(fc.stringMatching(/^[!#-[\]-~]{1,80}$/), { nil: undefined }),
    })
    .map(({ families, password, shutdownMessage, receiveLimit, overLimit, bfd, ...rest }) => ({
      ...rest,
      id: index + 1,
      neighbors: families.map((family) => ({
        ...neighbor(family, index + 2),
        overLimit,
        bfd,
        ...(receiveLimit !== undefined && { receiveLimit }),
      })),
      ...(shutdownMessage !== undefined && { shutdownMessage }),
      statics: [],
      ...(password !== undefined && { password }),
    }))

export const desiredState: fc.Arbitrary<EdgeDesiredState> = fc
  .integer({ min: 0, max: 6 })
  .chain((count) =>
    fc.record({
      localAsn: asn,
      routerId: address(4),
      customers: fc.tuple(...Array.from({ length: count }, (_, index) => customer(index))),
    }),
  )
  .filter(({ localAsn, customers }) => customers.every((one) => one.asn !== localAsn))

const BREAKOUTS = [
  '"; } protocol static { route 0.0.0.0/0 blackhole; } #',
  '1.2.3.0/24 ]; return true; #',
  '192.0.2.1\n}',
  '192.0.2.1 as 1; }',
  '10.0.0.0/8+',
  '10.0.0.0/8{8,32}',
  '::ffff:10.0.0.0/104',
  'include "/etc/passwd";',
  '\u0000',
  '１０.0.0.0/8',
  '0x7f.1',
  '__proto__',
]
const text = fc.oneof(fc.constantFrom(...BREAKOUTS), fc.string({ maxLength: 40 }))
const sometimes = <T, U>(valid: fc.Arbitrary<T>, hostile: fc.Arbitrary<U>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: valid, weight: 30 }, { arbitrary: hostile as unknown as fc.Arbitrary<T>, weight: 1 })
const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, -1, 0, 2 ** 32, '1; }', null))

/** Mostly valid, with a hostile value here and there: what would reach the renderer if every earlier check failed. */
export const hostileState: fc.Arbitrary<EdgeDesiredState> = fc.record({
  localAsn: sometimes(asn, number),
  routerId: sometimes(address(4), text),
  customers: fc.array(
    fc.integer({ min: 0, max: 50 }).chain((index) =>
      fc.record({
        id: sometimes(fc.constant(index + 1), number),
        asn: sometimes(asn, number),
        enabled: sometimes(fc.boolean(), text),
        drained: sometimes(fc.boolean(), text),
        shutdownMessage: sometimes(message, text),
        blackholes: fc.array(sometimes(hostOf4, text), { maxLength: 2 }),
        neighbors: fc.uniqueArray(
          anyFamily.chain((family) =>
            fc.record({
              family: sometimes(fc.constant(family), number),
              localAddress: sometimes(fc.constant(neighbor(family, index + 2).localAddress), text),
              peerAddress: sometimes(fc.constant(neighbor(family, index + 2).peerAddress), text),
              receiveLimit: sometimes(fc.integer({ min: 1, max: 999 }), number),
              overLimit: sometimes(fc.boolean(), text),
              bfd: sometimes(fc.boolean(), text),
            }),
          ),
          { maxLength: 2, selector: (entry) => entry.family },
        ),
        accept: fc.array(
          fc.record({
            prefix: sometimes(anyFamily.chain(prefix), text),
            origin: sometimes(asn, number),
            roa: sometimes(fc.boolean(), text),
          }),
          { maxLength: 4 },
        ),
        statics: fc.array(
          anyFamily.chain((family) =>
            fc.record({ prefix: sometimes(prefix(family), text), nextHop: sometimes(address(family), text) }),
          ),
          { maxLength: 2 },
        ),
        exports: sometimes(fc.constantFrom('default' as const, 'full' as const), text),
        password: sometimes(fc.stringMatching(/^[!#-[\]-~]{1,80}$/), text),
      }),
    ),
    { maxLength: 3 },
  ),
})

/** Returns the state without the features that an edge lacks. */
export const within = (state: EdgeDesiredState, can: EdgeCapabilities): EdgeDesiredState => ({
  ...state,
  customers: state.customers.map(({ password, statics, neighbors, ...customer }) => ({
    ...customer,
    statics: can.statics ? statics : [],
    neighbors: neighbors.map(({ bfd, ...neighbor }) => ({ ...neighbor, ...(can.bfd && bfd && { bfd }) })),
    ...(can.md5 && password !== undefined && { password }),
  })),
})
