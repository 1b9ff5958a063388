import { expect, test } from 'vitest'
import { readSort, writeSort } from './sort-text.ts'

const COLUMNS = ['value', 'created']

test.each([
  ['value', { column: 'value', descending: false }],
  ['-value', { column: 'value', descending: true }],
])('?sort=%s sorts by its column', (text, sort) => {
  expect(readSort(text, COLUMNS)).toEqual(sort)
  expect(writeSort(sort)).toBe(text)
})

test.each([undefined, '', '-', 'owner', '--value', 4, ['value']])('?sort=%j sorts nothing', (asked) => {
  expect(readSort(asked, COLUMNS)).toBeNull()
})
