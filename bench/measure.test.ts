import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure, median, missedBound, ratioOf } from './measure.ts'
import { formatTable } from './report.ts'

describe('a comparison', () => {
  test('takes ours and the peer in turns, the warm-up unmeasured', async () => {
    const turns: string[] = []
    const take = (who: string) => async () => turns.push(who)
    const { ours, theirs } = await measure(
      { name: 'x', unit: 'ms', ours: take('ours'), peer: { name: 'p', measure: take('peer') } },
      () => undefined,
    )
    expect(turns).toEqual(Array.from({ length: 6 }, () => ['ours', 'peer']).flat())
    expect([ours, theirs]).toEqual([
      [3, 5, 7, 9, 11],
      [4, 6, 8, 10, 12],
    ])
  })

  test('never has fewer than five pairs', async () => {
    const { ours } = await measure(
      { name: 'x', unit: 'ms', pairs: 1, warmUps: 0, ours: async () => 1 },
      () => undefined,
    )
    expect(ours).toHaveLength(5)
  })

  test.for([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d as a measurement', async (figure) => {
    const broken = measure({ name: 'x', unit: 'ms', ours: async () => figure }, () => undefined)
    await expect(broken).rejects.toThrow('a measurement gave')
  })
})

test('the median has as many figures below it as above', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (figures) => {
      const middle = median(figures)
      const below = figures.filter((figure) => figure < middle).length
      const above = figures.filter((figure) => figure > middle).length
      expect(Math.max(below, above) * 2).toBeLessThanOrEqual(figures.length)
    }),
  )
})

test('the ratio is that of the pairs, which a slow minute cannot turn round', () => {
  expect(ratioOf({ ours: [10, 100, 10], theirs: [20, 200, 20] })).toEqual({ median: 0.5, lowest: 0.5, highest: 0.5 })
  expect(ratioOf({ ours: [1], theirs: [] })).toBeNull()
})

test.each([
  [{ most: 12 }, null],
  [{ most: 9 }, 'x: 10 is more than 9'],
  [{ least: 10 }, null],
  [{ least: 11 }, 'x: 10 is less than 11'],
  [{ mostOfPeer: 2 }, null],
  [{ mostOfPeer: 1.3 }, 'x: 2.00 × the peer is more than 1.3 ×'],
])('a bound %o is kept, or expected in words', (bound, expected) => {
  const comparison = { name: 'x', unit: 'ms', ours: async () => 1, bound } as const
  const measured = { name: 'x', unit: 'ms', peer: 'p', ours: [8, 10, 90], theirs: [4, 5, 45] } as const
  expect(missedBound(comparison, measured)).toBe(expected)
})

test('a bound of the peer is missed where there is none', () => {
  const comparison = { name: 'x', unit: 'ms', ours: async () => 1, bound: { mostOfPeer: 1.3 } } as const
  expect(missedBound(comparison, { name: 'x', unit: 'ms', peer: null, ours: [1], theirs: [] })).toContain('nothing')
})

test('the table names bench, figures, ratio and peer', () => {
  const one = { name: 'a page', unit: 'per second', peer: 'Fastify', ours: [5_000], theirs: [10_000] } as const
  const table = formatTable([
    { bench: 'endpoint', skipped: null, failed: null, load: { before: 1, after: 2 }, measured: [one] },
  ])
  expect(table.split('\n')[1]).toBe('endpoint: a page  5,000/s  10,000/s  0.50 ×      0.50 … 0.50  1.0 → 2.0  Fastify')
})
