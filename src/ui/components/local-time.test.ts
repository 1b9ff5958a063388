import { expect, test } from 'vitest'
import { fromLocal, toLocal } from './local-time.ts'

test.for(['2026-11-21T06:00:00.000Z', '2026-07-01T23:30:00.000Z', '2026-03-29T00:30:00.000Z'])(
  '%s comes back from the field as it went in',
  (at) => {
    expect(fromLocal(toLocal(at))).toBe(at)
  },
)

test('an empty field is no moment', () => {
  expect(fromLocal('')).toBeNull()
  expect(toLocal(null)).toBe('')
})
