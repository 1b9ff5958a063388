import { expect, it } from 'vitest'
import { manualClock } from './clock.ts'

it('moves only when told', () => {
  const clock = manualClock('2026-11-20T12:00:00Z')
  const before = clock.now()
  before.setFullYear(1999)
  expect(clock.now().toISOString()).toBe('2026-11-20T12:00:00.000Z')
  clock.advance(1500)
  expect(clock.now().toISOString()).toBe('2026-11-20T12:00:01.500Z')
  clock.set('2027-01-01')
  expect(clock.now().toISOString()).toBe('2027-01-01T00:00:00.000Z')
})
