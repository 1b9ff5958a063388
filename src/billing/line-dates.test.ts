import { expect, test } from 'vitest'
import { lineDates } from './line-dates.ts'

const dates = (start: string, end: string) => lineDates(new Date(start), new Date(end))

test('names the first and the last day in UTC', () => {
  expect(dates('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z')).toBe('1–30 Nov 2026')
  expect(dates('2026-11-22T13:00:00Z', '2026-11-23T00:00:00.001Z')).toBe('22–23 Nov 2026')
  expect(dates('2026-10-28T00:00:00Z', '2026-11-03T00:00:00Z')).toBe('28 Oct–2 Nov 2026')
})

test('names one day for what has a moment only or ends within its day', () => {
  expect(dates('2026-11-03T10:00:00Z', '2026-11-03T10:00:00Z')).toBe('3 Nov 2026')
  expect(dates('2026-11-03T10:00:00Z', '2026-11-04T00:00:00Z')).toBe('3 Nov 2026')
})
