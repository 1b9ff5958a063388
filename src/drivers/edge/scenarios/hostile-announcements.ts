/** Announcements of a hostile customer and of a correct one, as lists, so that each speaker sends the same. */
import type { Family } from '../../../kernel/prefix.ts'
import { TRANSIT_FREE } from '../transit-free.ts'
import type { EdgePrefix } from '../index.ts'
import type { Path, RawAnnouncement } from './bgp-encoding.ts'

/** The customer, and its downstream: the only AS that may originate anything here. */
export const OWN = 500_010
export const ORIGIN = 500_011

/**
 * Indexes of {@link prefixAt}: the approved prefixes, those whose ROA names another AS, and those that no customer here
 * has.
 */
const INVALID_FROM = 1_000
const FOREIGN_FROM = 1_500

/** Returns the block with this index: a /24 of 45.40.0.0/13, or a /32 of 2d20::/16. */
export const prefixAt = (family: Family, index: number): string =>
  family === 4 ? `45.${40 + (index >> 8)}.${index & 255}.0/24` : `2d20:${(0x1000 + index).toString(16)}::/32`

const BLACKHOLE = [[65_535, 666]] as const
const SETS = ['{500011}', '{500011 500012}', '{3333 1103 500011}'] as const
const CONFEDERATIONS = ['(500011)', '[500011 500012]'] as const
const TAILS = ['500011', '3333 500011', '3333 1103 500011', '500011 3333 1103 500011', '500012 3333 1103 500012 500011']
const RESERVED = [0, 23_456, 64_496, 64_512, 65_535, 65_551, 4_200_000_000, 4_294_967_295]
const BOGONS = {
  4: [
    '0.0.0.0/0',
    '10.1.0.0/24',
    '100.64.1.0/24',
    '127.1.0.0/24',
    '169.254.1.0/24',
    '172.16.1.0/24',
    '192.0.2.0/24',
  ].concat(['192.168.1.0/24', '198.18.1.0/24', '198.51.100.0/24', '203.0.113.0/24', '224.1.0.0/24', '240.1.0.0/24']),
  6: ['::/0', '2001:db8:1::/48', '2001:2::/48', '2002:1::/32', '3ffe:1::/32', '3fff::/20', 'fc00:1::/32'].concat([
    'fe80:1::/32',
    'ff00:1::/32',
    '100::/64',
    '64:ff9b::/96',
    '4000::/16',
    '::1/128',
  ]),
} as const

/** Inserts at every position of a path, including before its first AS. */
function everyPosition(inserted: readonly string[]): Path[] {
  return TAILS.flatMap((tail) => {
    const numbers = tail.split(' ')
    return inserted.flatMap((segment) =>
      Array.from({ length: numbers.length + 1 }, (_, at) => numbers.toSpliced(at, 0, segment).join(' ')),
    )
  })
}

/** Paths from a feeder behind the customer's router, which prepends its own AS. */
const HOSTILE_PATHS: readonly Path[] = [
  ...everyPosition(SETS),
  ...everyPosition(CONFEDERATIONS),
  ...RESERVED.flatMap((asn) => [`500011 ${asn} 500011`, `500011 ${asn}`]),
  ...TRANSIT_FREE.map((asn) => `500011 ${asn} 500011`),
  ...[500_012, 500_099, 3333, 1103, 13_335, 15_169, 4_199_999_999, 1, 99_999].map((asn) => `500011 ${asn}`),
  ...[33, 34, 40, 64, 120, 254].map((length) => '500011 '.repeat(length).trim()),
]

const hostLength = (family: Family): number => (family === 4 ? 32 : 128)
const withLength = (prefix: string, length: number): string => `${prefix.split('/')[0]}/${length}`
const lengths = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

export function hostileAnnouncements(family: Family): RawAnnouncement[] {
  const path = '500011'
  const approved = (index: number) => prefixAt(family, index)
  const exact = family === 4 ? 24 : 32
  const foreign = (index: number, length = exact) => withLength(prefixAt(family, FOREIGN_FROM + index * 16), length)
  let next = 0
  return [
    ...HOSTILE_PATHS.map((one) => ({ prefix: approved(next++), path: one })),
    ...lengths(0, 9).map((n) => ({ prefix: prefixAt(family, INVALID_FROM + n), path })),
    // More specific than the approved prefix, down to one address, and shorter, up to lengths that no one holds.
    ...lengths(exact + 1, hostLength(family))
      .filter((length) => family === 4 || length % 8 === 1 || length === 128)
      .map((length) => ({ prefix: withLength(approved(next++), length), path })),
    ...lengths(family === 4 ? 13 : 20, exact - 1).map((length) => ({
      prefix: `${family === 4 ? '45.48.0.0' : '2d30::'}/${length}`,
      path,
    })),
    ...lengths(0, 11).map((n) => ({ prefix: foreign(n), path })),
    ...BOGONS[family].map((prefix) => ({ prefix, path })),
    // Blackholes (RFC 7999): of another network's addresses, of a whole approved block, of a part of one.
    ...lengths(12, 16).map((n) => ({ prefix: foreign(n, hostLength(family)), path, communities: BLACKHOLE })),
    ...lengths(0, 2).map(() => ({ prefix: approved(next++), path, communities: BLACKHOLE })),
    ...lengths(0, 2).map(() => ({ prefix: withLength(approved(next++), exact + 1), path, communities: BLACKHOLE })),
  ]
}

/** Routes that no common router would pass on: the raw speaker sends them, with the whole path. */
export function hostileFromNeighbor(family: Family): RawAnnouncement[] {
  let next = 400
  const one = (given: Partial<RawAnnouncement>): RawAnnouncement => ({
    prefix: prefixAt(family, next++),
    path: `${OWN} ${ORIGIN}`,
    ...given,
  })
  const strangers = {
    4: ['203.0.113.1', '203.0.113.77', '192.0.2.1', '8.8.8.8', '0.0.0.0', '127.0.0.1'],
    6: ['2001:db8:100::1', '2001:db8:100::4d', '2001:db8:ff::1', '2606:4700::1', '::', '::1'],
  }
  return [
    ...['500011', '500011 500010 500011', '3333 500011', '{500010} 500011', '(500010) 500011'].map((path) =>
      one({ path }),
    ),
    ...[`${OWN} 500000 ${ORIGIN}`, `${OWN} ${ORIGIN} 500000 ${ORIGIN}`].map((path) => one({ path })),
    ...[...everyPosition(SETS), ...everyPosition(CONFEDERATIONS)].map((tail) => one({ path: `${OWN} ${tail}` })),
    ...strangers[family].map((nextHop) => one({ nextHop })),
    ...[500_000, 500_001, 500_099, 4_294_967_295].map((otc) => one({ otc })),
  ]
}

/** Uses indexes from 600. */
export function goodAnnouncements(family: Family): RawAnnouncement[] {
  let next = 600
  const one = (given: Partial<RawAnnouncement>): RawAnnouncement => ({
    prefix: prefixAt(family, next++),
    path: String(ORIGIN),
    ...given,
  })
  return [
    ...lengths(1, 10).map((times) => one({ path: `${ORIGIN} `.repeat(times).trim() })),
    ...['500011 3333 500011', '500011 1103 3333 500011', '500011 4199999999 500011', '500011 | 500011'].map((path) =>
      one({ path }),
    ),
    ...[
      [65_535, 0],
      [3333, 1],
      [0, 500],
      [500, 666],
    ].map(([a, b]) => one({ communities: [[a!, b!]] })),
    ...[
      [500_000, 1000, 80],
      [500_000, 1000, 90],
      [500_000, 1, 1],
      [500_000, 1101, 14],
      [3333, 1, 2],
    ].map(([a, b, c]) => one({ largeCommunities: [[a!, b!, c!]] })),
    // A host route inside an approved block.
    ...lengths(0, 9)
      .map(() => ({ ...one({ communities: BLACKHOLE }) }))
      .map((route) => ({ ...route, prefix: withLength(route.prefix, hostLength(family)) })),
  ]
}

export const approvedPrefixes = (): EdgePrefix[] =>
  ([4, 6] as const).flatMap((family) =>
    [...lengths(0, 699), ...lengths(INVALID_FROM, INVALID_FROM + 9)].map((index) => ({
      prefix: prefixAt(family, index),
      origin: ORIGIN,
    })),
  )

/** ROAs that name another AS for blocks that are still approved, as after a change of ownership. */
export const foreignRoas = (): { prefix: string; maxLength: number; asn: number }[] =>
  ([4, 6] as const).flatMap((family) =>
    lengths(INVALID_FROM, INVALID_FROM + 9).map((index) => ({
      prefix: prefixAt(family, index),
      maxLength: family === 4 ? 24 : 32,
      asn: 500_099,
    })),
  )
