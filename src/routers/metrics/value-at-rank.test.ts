import fc from 'fast-check'
import { expect, test } from 'vitest'
import { valueAtRank } from './value-at-rank.ts'

test('the value at a rank is the one that sorting puts there, and 0 beyond the end', () => {
  const counts = fc.array(fc.oneof(fc.nat(20), fc.nat(1_000_000_000)), { maxLength: 900, size: 'max' })
  fc.assert(
    fc.property(counts, fc.integer({ min: -1, max: 1000 }), (values, rank) => {
      const wanted = rank < 1 ? 0 : (values.toSorted((a, b) => b - a)[rank - 1] ?? 0)
      expect(valueAtRank(Float64Array.from(values), rank)).toBe(wanted)
    }),
    { numRuns: 10_000 },
  )
})
