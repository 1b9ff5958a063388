import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bogonReason, longestAnnounced, shortestAnnounced, specialPrefixes } from './bogon.ts'
import { containsPrefix, overlaps, parsePrefix } from './prefix.ts'

describe('space that may not be announced', () => {
  it.each([
    ['0.0.0.0/0', 'default route'],
    ['::/0', 'default route'],
    ['10.1.0.0/16', 'RFC 1918'],
    ['172.31.255.0/24', 'RFC 1918'],
    ['100.127.0.0/16', 'RFC 6598'],
    ['192.0.2.0/24', 'RFC 5737'],
    ['192.0.0.0/16', 'protocol assignments'],
    ['240.0.0.0/8', 'reserved'],
    ['255.255.255.0/24', 'reserved'],
    ['2001:db8:1::/48', 'RFC 3849'],
    ['3fff::/20', 'RFC 9637'],
    ['2002:c000::/24', '6to4'],
    ['fc00::/7', '2000::/3'],
    ['fe80::/64', '2000::/3'],
    ['::ffff:0:0/96', '2000::/3'],
    ['::/2', '2000::/3'],
  ])('holds %s: %s', (text, reason) => {
    expect(bogonReason(parsePrefix(text))).toContain(reason)
  })

  it.each([
    '45.30.10.0/24',
    '9.0.0.0/8',
    '11.0.0.0/8',
    '172.32.0.0/11',
    '192.0.1.0/24',
    '223.255.255.0/24',
    '2d10:10::/32',
    '2001:67c::/32',
    '2a00::/12',
  ])('does not hold %s', (text) => {
    expect(bogonReason(parsePrefix(text))).toBeNull()
  })

  it('is refused also by what covers it and what lies in it', () => {
    const special = [...specialPrefixes(4), ...specialPrefixes(6)].map(parsePrefix)
    expect(special.length).toBeGreaterThan(20)
    fc.assert(
      fc.property(fc.constantFrom(...special), fc.nat(128), (entry, any) => {
        const width = entry.family === 4 ? 32 : 128
        const length = any % (width + 1)
        const shift = BigInt(width - length)
        const near = { family: entry.family, length, network: (entry.network >> shift) << shift }
        expect(overlaps(entry, near)).toBe(true)
        expect(bogonReason(near)).not.toBeNull()
      }),
    )
  })

  it('is listed by family, in canonical text', () => {
    expect(specialPrefixes(4).every((text) => parsePrefix(text).family === 4)).toBe(true)
    expect(specialPrefixes(6).every((text) => containsPrefix(parsePrefix('2000::/3'), parsePrefix(text)))).toBe(true)
  })
})

it('knows the lengths that the Internet carries', () => {
  expect([longestAnnounced(4), longestAnnounced(6), shortestAnnounced(4), shortestAnnounced(6)]).toEqual([
    24, 48, 8, 16,
  ])
})
