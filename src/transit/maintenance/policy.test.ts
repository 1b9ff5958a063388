import { expect, test } from 'vitest'
import { placeText, timeSpan } from './policy.ts'

test('a span names its day once, and both days where it ends on another', () => {
  const at = (text: string) => new Date(text)
  expect(timeSpan(at('2026-11-24T02:00Z'), at('2026-11-24T04:00Z'), 'UTC')).toBe('24 Nov 02:00–04:00')
  expect(timeSpan(at('2026-11-24T23:00Z'), at('2026-11-25T01:00Z'), 'UTC')).toBe('24 Nov 23:00 – 25 Nov 01:00')
  expect(timeSpan(at('2026-11-24T23:00Z'), at('2026-11-25T01:00Z'), 'Europe/Amsterdam')).toBe('25 Nov 00:00–02:00')
})

test('a place names each edge with its site, and each further site once', () => {
  const edge = { site: 'Amsterdam', edge: 'Edge 1' }
  const at = (site: string) => ({ site, edge: null })
  expect(placeText([edge])).toBe('on Edge 1 in Amsterdam')
  expect(placeText([at('Frankfurt'), at('Amsterdam'), edge, at('Frankfurt')])).toBe(
    'on Edge 1 in Amsterdam and in Frankfurt',
  )
  expect(placeText([{ site: 'Amsterdam', edge: 'Amsterdam 1' }])).toBe('on Amsterdam 1')
  expect(placeText([at('Vienna'), at('Frankfurt')])).toBe('in Vienna and in Frankfurt')
})
