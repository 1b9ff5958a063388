import { expect, test } from 'vitest'
import { busiestOfEach } from './chart-points.ts'

test('a month becomes few points, and its peak is among them', () => {
  const received = Array.from({ length: 8928 }, (_, index) => (index === 4321 ? 9e9 : 5))
  const { times, series } = busiestOfEach({ from: '2026-03-01T00:00:00Z', stepSeconds: 300, received, sent: received })
  expect(times.length).toBeLessThanOrEqual(720)
  expect(Math.max(...series.received)).toBe(9e9)
  expect(series.sent).toHaveLength(times.length)
})

test('few samples are shown as they are', () => {
  const { times, series } = busiestOfEach({
    from: '2026-03-01T00:00:00Z',
    stepSeconds: 300,
    received: [1, 2],
    sent: [3, 4],
  })
  expect(times).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-01T00:05:00.000Z'])
  expect(series).toEqual({ received: [1, 2], sent: [3, 4] })
})
