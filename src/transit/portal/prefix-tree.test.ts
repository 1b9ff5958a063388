import { expect, test } from 'vitest'
import { linesOf, nestPrefixes } from './prefix-tree.ts'

const rows = (...values: string[]) => values.map((value) => ({ value }))
const drawn = (values: string[], folded: string[] = []) =>
  linesOf(nestPrefixes(rows(...values)), new Set(folded)).map(
    ({ node, level, place, siblings }) => `${'  '.repeat(level - 1)}${node.row.value} ${place}/${siblings}`,
  )

test('a prefix is below the shortest chain of those that contain it, whatever order they came in', () => {
  expect(drawn(['45.30.14.0/24', '45.30.12.0/22', '45.30.8.0/24', '45.30.0.0/16', '45.31.0.0/24'])).toEqual([
    '45.30.0.0/16 1/2',
    '  45.30.8.0/24 1/2',
    '  45.30.12.0/22 2/2',
    '    45.30.14.0/24 1/1',
    '45.31.0.0/24 2/2',
  ])
})

test('IPv4 comes before IPv6, and addresses are ordered as numbers', () => {
  expect(drawn(['2d10:10::/32', '100.0.0.0/24', '9.0.0.0/24', '2d10:9::/32', '2d10:10:1::/48'])).toEqual([
    '9.0.0.0/24 1/4',
    '100.0.0.0/24 2/4',
    '2d10:9::/32 3/4',
    '2d10:10::/32 4/4',
    '  2d10:10:1::/48 1/1',
  ])
})

test('what is below a folded prefix is not drawn', () => {
  expect(drawn(['10.0.0.0/8', '10.1.0.0/16', '10.1.1.0/24', '11.0.0.0/8'], ['10.0.0.0/8'])).toEqual([
    '10.0.0.0/8 1/2',
    '11.0.0.0/8 2/2',
  ])
})

test('the same prefix twice, once of an earlier request, is nested and not lost', () => {
  expect(drawn(['10.0.0.0/24', '10.0.0.0/24'])).toHaveLength(2)
})
