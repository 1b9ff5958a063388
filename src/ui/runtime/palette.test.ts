import { expect, test } from 'vitest'
import { searchPalette, withFound, type PaletteItem } from './palette.ts'

const item = (label: string, more: Partial<PaletteItem> = {}): PaletteItem => ({
  id: label,
  label,
  group: 'Screen',
  icon: 'router',
  ...more,
})
const items = [
  item('Create a router', { group: 'Action' }),
  item('Routers'),
  item('IP Transit'),
  item('45.30.10.0/24', { group: 'Prefix', hint: 'APPROVED' }),
]
const found = (typed: string) => searchPalette(items, typed).map(({ label }) => label)

test('everything is offered while nothing is typed, in the order it came', () => {
  expect(found('')).toEqual(['Create a router', 'Routers', 'IP Transit', '45.30.10.0/24'])
})

test('a label that begins with what is typed comes first', () => {
  expect(found('router')).toEqual(['Routers', 'Create a router'])
})

test('every word must occur, in the label or beside it', () => {
  expect(found('prefix 45.30')).toEqual(['45.30.10.0/24'])
  expect(found('approved')).toEqual(['45.30.10.0/24'])
  expect(found('router nothing')).toEqual([])
})

test('what the server found is last, and once', () => {
  const known = searchPalette(items, 'router')
  expect(withFound(known, [item('Routers'), item('edge-1')]).map(({ label }) => label)).toEqual([
    'Routers',
    'Create a router',
    'edge-1',
  ])
})
