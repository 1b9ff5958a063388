import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareValues, filterRows, nextSort, sortRows, type SortValue } from './table-rows.ts'

describe('sorting', () => {
  test('numbers inside names count as numbers', () => {
    expect(sortRows(['edge-10', 'edge-2', 'Edge-1'], (name) => name, false)).toEqual(['Edge-1', 'edge-2', 'edge-10'])
  })

  test('what is missing comes last in both directions', () => {
    const rows = [null, 2, undefined, 1]
    expect(sortRows(rows, (value) => value, false)).toEqual([1, 2, null, undefined])
    expect(sortRows(rows, (value) => value, true)).toEqual([2, 1, null, undefined])
  })

  test('a header goes round: ascending, descending, as it came', () => {
    const first = nextSort(null, 'name')
    expect(first).toEqual({ column: 'name', descending: false })
    const second = nextSort(first, 'name')
    expect(second).toEqual({ column: 'name', descending: true })
    expect(nextSort(second, 'name')).toBeNull()
    expect(nextSort(second, 'state')).toEqual({ column: 'state', descending: false })
  })

  test('the comparison is antisymmetric, whatever is missing', () => {
    const value: fc.Arbitrary<SortValue> = fc.option(fc.bigInt(), { nil: null })
    fc.assert(
      fc.property(value, value, fc.boolean(), (a, b, descending) => {
        expect(Math.sign(compareValues(a, b, descending)) + Math.sign(compareValues(b, a, descending))).toBe(0)
      }),
    )
  })
})

describe('filtering', () => {
  const rows = ['edge-1 RUNNING', 'edge-2 STOPPED']
  test('every word has to occur, in any case and order', () => {
    expect(filterRows(rows, (row) => row, 'running EDGE')).toEqual(['edge-1 RUNNING'])
    expect(filterRows(rows, (row) => row, 'running stopped')).toEqual([])
  })
  test('an empty filter keeps the very rows', () => {
    expect(filterRows(rows, (row) => row, '  ')).toBe(rows)
  })
})
