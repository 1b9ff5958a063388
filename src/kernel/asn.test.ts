import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAsn, MAX_ASN, parseAsn, reservedAsnRanges, reservedAsnReason } from './asn.ts'

describe('an ASN in text', () => {
  it('is the same number after it was printed and read', () => {
    fc.assert(
      fc.property(fc.nat(MAX_ASN), (asn) => {
        expect(parseAsn(formatAsn(asn))).toBe(asn)
      }),
    )
  })

  it.each([
    ['AS500010', 500_010],
    ['as500010', 500_010],
    ['500010', 500_010],
    [' AS1 ', 1],
    ['AS0', 0],
    ['AS4294967295', MAX_ASN],
  ])('%j is read', (text, asn) => {
    expect(parseAsn(text)).toBe(asn)
  })

  it.each([
    '',
    'AS',
    'AS-1',
    'AS4294967296',
    'AS99999999999',
    '1.10',
    'AS1e3',
    '0x10',
    'AS 1',
    'AS1\nAS2',
    '١',
    'ASAS1',
  ])('%j is refused', (text) => {
    expect(parseAsn(text)).toBeNull()
  })
})

describe('numbers that no customer can hold', () => {
  it.each([
    [0, 'RFC 7607'],
    [23_456, 'RFC 6793'],
    [64_496, 'RFC 5398'],
    [64_512, 'RFC 6996'],
    [65_535, 'RFC 7300'],
    [65_551, 'RFC 5398'],
    [131_071, 'IANA'],
    [4_200_000_000, 'RFC 6996'],
    [MAX_ASN, 'RFC 7300'],
  ])('AS%i is one, by %s', (asn, document) => {
    expect(reservedAsnReason(asn)).toContain(document)
  })

  it.each([1, 23_455, 23_457, 64_495, 131_072, 500_010, 4_199_999_999])('AS%i is none', (asn) => {
    expect(reservedAsnReason(asn)).toBeNull()
  })

  it.each([-1, 1.5, MAX_ASN + 1, Number.NaN, Number.POSITIVE_INFINITY])('%d is no ASN at all', (asn) => {
    expect(reservedAsnReason(asn)).toContain('whole number')
  })

  it('are the ranges that filters are made of', () => {
    const ranges = reservedAsnRanges()
    fc.assert(
      fc.property(fc.oneof(fc.nat(MAX_ASN), fc.constantFrom(...ranges.flat())), (asn) => {
        const inRange = ranges.some(([from, to]) => from <= asn && asn <= to)
        expect(reservedAsnReason(asn) !== null).toBe(inRange)
      }),
    )
  })
})
