import fc from 'fast-check'
import { isIPv4, isIPv6 } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  comparePrefixes,
  containsPrefix,
  familyBits,
  formatAddress,
  formatPrefix,
  lastAddress,
  networkMask,
  overlaps,
  parseAddress,
  parsePrefix,
  isAddressBeginning,
  prefixOfBeginning,
  PrefixError,
  samePrefix,
  tryParsePrefix,
  type Family,
  type Prefix,
  unmapAddress,
} from './prefix.ts'

const family = fc.constantFrom<Family>(4, 6)
/** Generates many zero groups, as real addresses have. */
const value = (width: number) =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }),
    fc
      .array(fc.constantFrom(0n, 0n, 0n, 1n, 0xffffn, 0xabcn), { minLength: width / 16, maxLength: width / 16 })
      .map((groups) => groups.reduce<bigint>((all, group) => (all << 16n) | group, 0n)),
  )
const prefix: fc.Arbitrary<Prefix> = family.chain((kind) =>
  fc.tuple(value(familyBits(kind)), fc.nat(familyBits(kind))).map(([bits, length]) => ({
    family: kind,
    length,
    network: bits & networkMask(kind, length),
  })),
)
const related = prefix.chain((outer) =>
  fc
    .tuple(value(familyBits(outer.family)), fc.integer({ min: outer.length, max: familyBits(outer.family) }))
    .map(([bits, length]): [Prefix, Prefix] => {
      const host = ~networkMask(outer.family, outer.length) & bits
      return [
        outer,
        { family: outer.family, length, network: (outer.network | host) & networkMask(outer.family, length) },
      ]
    }),
)

describe('a prefix in text', () => {
  it('is the same after it was printed and read', () => {
    fc.assert(
      fc.property(prefix, (any) => {
        expect(parsePrefix(formatPrefix(any))).toEqual(any)
      }),
    )
  })

  it.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    [' 0.0.0.0/0 ', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:0db8:0000::/48', '2001:db8::/48'],
    ['::ffff:192.0.2.0/120', '::ffff:c000:200/120'],
  ])('%j reads as %s', (text, canonical) => {
    expect(formatPrefix(parsePrefix(text))).toBe(canonical)
  })

  it.each([
    ['192.0.2.0', /has no length/],
    ['192.0.2.0/', /from 0 to 32/],
    ['192.0.2.0/33', /from 0 to 32/],
    ['192.0.2.0/024', /from 0 to 32/],
    ['192.0.2.0/-1', /from 0 to 32/],
    ['192.0.2.0/2 4', /from 0 to 32/],
    ['192.0.2.0/24/25', /from 0 to 32/],
    ['2001:db8::/129', /from 0 to 128/],
    ['192.0.2/24', /not an IPv4 or IPv6 address/],
    ['192.0.2.256/32', /not an IPv4 or IPv6 address/],
    ['010.0.0.0/8', /not an IPv4 or IPv6 address/],
    ['2001:db8::%eth0/64', /not an IPv4 or IPv6 address/],
    ['/24', /not an IPv4 or IPv6 address/],
    ['192.0.2.1/24', /did you mean 192\.0\.2\.0\/24\?/],
    ['2001:db8::1/64', /did you mean 2001:db8::\/64\?/],
  ])('%j is refused in words', (text, words) => {
    expect(() => parsePrefix(text)).toThrow(words)
    expect(tryParsePrefix(text)).toBeNull()
  })

  it('is never quoted back at full length', () => {
    expect(() => parsePrefix('x'.repeat(10_000))).toThrow(PrefixError)
    fc.assert(
      fc.property(fc.string({ minLength: 100, maxLength: 500 }), (text) => {
        try {
          parsePrefix(text)
        } catch (error) {
          expect((error as Error).message.length).toBeLessThan(200)
        }
      }),
    )
  })
})

describe('an address in text', () => {
  it('is read exactly when the system would read it', () => {
    const hex = fc
      .array(fc.constantFrom('', '0', '1', 'ff', 'abcd', '10000', '1.2.3.4', '0:0'), { maxLength: 9 })
      .map((parts) => parts.join(':'))
    const dotted = fc
      .array(fc.constantFrom('0', '1', '255', '256', '01', ''), { maxLength: 5 })
      .map((parts) => parts.join('.'))
    fc.assert(
      fc.property(fc.oneof(hex, dotted, fc.string({ maxLength: 20 })), (text) => {
        expect(parseAddress(text)?.family ?? 0).toBe(isIPv4(text) ? 4 : isIPv6(text) && !text.includes('%') ? 6 : 0)
      }),
      { numRuns: 3000 },
    )
  })

  it('is printed as the URL standard prints it', () => {
    fc.assert(
      fc.property(value(128), (bits) => {
        const text = formatAddress({ family: 6, value: bits })
        expect(`[${text}]`).toBe(new URL(`http://[${text}]`).hostname)
        expect(parseAddress(text)).toEqual({ family: 6, value: bits })
      }),
    )
  })

  // RFC 5952 sections 1, 2 and 4.
  it.each([
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8:0:0:0:0:2:1', '2001:db8::2:1'],
    ['2001:db8::1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:aaaa:bbbb:cccc:dddd:eeee:AAAA', '2001:db8:aaaa:bbbb:cccc:dddd:eeee:aaaa'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['::1', '::1'],
    ['1:0:0:0:0:0:0:0', '1::'],
  ])('%s is printed as %s', (text, canonical) => {
    expect(formatAddress(parseAddress(text)!)).toBe(canonical)
  })
})

describe('prefixes among themselves', () => {
  it('contain what lies within them, by their first and last address', () => {
    fc.assert(
      fc.property(fc.oneof(related, fc.tuple(prefix, prefix)), ([outer, inner]) => {
        const byAddress =
          outer.family === inner.family && outer.network <= inner.network && lastAddress(inner) <= lastAddress(outer)
        expect(containsPrefix(outer, inner)).toBe(byAddress)
        expect(overlaps(outer, inner)).toBe(overlaps(inner, outer))
        expect(overlaps(outer, inner)).toBe(byAddress || containsPrefix(inner, outer))
      }),
    )
  })

  it('have one order, in which only equals are equal', () => {
    fc.assert(
      fc.property(related, prefix, ([a, b], c) => {
        expect(comparePrefixes(a, b)).toBeLessThanOrEqual(0)
        expect(Math.sign(comparePrefixes(a, c))).toBe(-Math.sign(comparePrefixes(c, a)) + 0)
        expect(comparePrefixes(a, b) === 0).toBe(samePrefix(a, b))
        const sorted = [c, b, a].toSorted(comparePrefixes)
        expect(comparePrefixes(sorted[0]!, sorted[2]!)).toBeLessThanOrEqual(0)
      }),
    )
  })

  it.each([
    [4, 0, 0n],
    [4, 8, 0xff00_0000n],
    [4, 32, 0xffff_ffffn],
    [6, 128, (1n << 128n) - 1n],
  ] as const)('of IPv%i with length %i have the mask %i', (kind, length, mask) => {
    expect(networkMask(kind, length)).toBe(mask)
  })
})

describe('the beginning of an address', () => {
  it.each([
    ['45.30', '45.30.0.0/16'],
    ['45.30.', '45.30.0.0/16'],
    ['45.30.10', '45.30.10.0/24'],
    ['45.', '45.0.0.0/8'],
    ['45.30.10.1', '45.30.10.1/32'],
    ['2d10:10', '2d10:10::/32'],
    ['2D10:10:', '2d10:10::/32'],
    ['2d10:10::', '2d10:10::/32'],
    ['2d10:10:0:', '2d10:10::/48'],
    ['10/8', '10.0.0.0/8'],
    ['45.30/16', '45.30.0.0/16'],
    ['45.30/8', null],
    ['45', null],
    ['45.300', null],
    ['beef', null],
    ['ann@example.net', null],
    ['', null],
  ])('%j is %j', (typed, expected) => {
    expect(prefixOfBeginning(typed)).toBe(expected)
  })
})

describe('what can be the beginning of an address', () => {
  it.each(['4', '45', '45.', '45.30.1', '45.30.10.0/', '45.30.10.0/2', '10/', '2d10', '2d10:', '2d10:1', '2D10::/3'])(
    '%j',
    (typed) => expect(isAddressBeginning(typed)).toBe(true),
  )
  it.each(['', 'ada', 'beef', 'ann1', '4%', '_2', '45.30.10.0.', '1-2', 'AS45'])('not %j', (typed) =>
    expect(isAddressBeginning(typed)).toBe(false),
  )
})

describe('an IPv4-mapped IPv6 address', () => {
  it('becomes the IPv4 address inside it, in either notation', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number]
        const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const mapped of [`::ffff:${ip}`, `::FFFF:${groups}`, `0:0:0:0:0:ffff:${groups}`, ip])
          expect(unmapAddress(mapped)).toBe(ip)
      }),
    )
  })

  it.each(['2001:db8::1', '::1', '::', '::192.0.2.1', '64:ff9b::192.0.2.1', 'fe80::1%eth0', '', 'unknown'])(
    'is the only kind that changes: %j stays',
    (text) => {
      expect(unmapAddress(text)).toBe(text)
    },
  )
})
