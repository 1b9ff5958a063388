import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bogonReason } from '../../../kernel/bogon.ts'
import { familyBits, formatPrefix, networkMask, type Family, type Prefix } from '../../../kernel/prefix.ts'
import { validatePrefixValue } from './prefix-rules.ts'

const anyPrefix: fc.Arbitrary<Prefix> = fc
  .constantFrom<Family>(4, 6)
  .chain((family) =>
    fc
      .tuple(
        fc.integer({ min: 0, max: familyBits(family) }),
        fc.bigInt({ min: 0n, max: (1n << BigInt(familyBits(family))) - 1n }),
      )
      .map(([length, bits]) => ({ family, length, network: bits & networkMask(family, length) })),
  )

describe('a requested value', () => {
  test('is acceptable exactly when it is no bogon and between the shortest and longest that networks carry', () => {
    fc.assert(
      fc.property(anyPrefix, (prefix) => {
        const verdict = validatePrefixValue(formatPrefix(prefix))
        const [shortest, longest] = prefix.family === 4 ? [8, 24] : [16, 48]
        const carried = prefix.length >= shortest && prefix.length <= longest
        expect(verdict.prefix).toEqual(prefix)
        expect(verdict.problems.length === 0).toBe(carried && bogonReason(prefix) === null)
      }),
    )
  })

  test('a value that is any text never throws, and is refused unless it is a prefix', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), (text) => {
        const { prefix, problems } = validatePrefixValue(text)
        expect(prefix !== null || problems.length > 0).toBe(true)
      }),
    )
  })

  test('a value with host bits comes with the network that was meant', () => {
    expect(validatePrefixValue(' 45.30.10.7/24 ').remediation[0]?.text).toBe('45.30.10.0/24')
    expect(validatePrefixValue('2D10:10:0:0::1/32').remediation[0]?.text).toBe('2d10:10::/32')
  })

  test.each([
    ['45.30.14.1/25', 'TOO_LONG'],
    ['10.1.2.3/8', 'BOGON'],
    ['1.0.0.0/7', 'TOO_SHORT'],
    ['::ffff:45.30.14.0/24', 'BOGON'],
  ])(
    'a value with host bits in a network that is refused too, has both problems and no suggestion: %s',
    (value, problem) => {
      const { problems, remediation } = validatePrefixValue(value)
      expect(problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['HOST_BITS', problem]))
      expect(JSON.stringify(problems)).not.toContain('did you mean')
      expect(remediation).toEqual([])
    },
  )
})
