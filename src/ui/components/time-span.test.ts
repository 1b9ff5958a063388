import { expect, test } from 'vitest'
import { within } from './time-span.ts'

const minute = (n: number) => new Date(n * 60_000)
const drawn = {
  times: [0, 1, 2, 3, 4].map((n) => minute(n).toISOString()),
  series: [{ label: 'In', values: [10, 11, null, 13, 14] }],
}
const span = (from: number, to: number) => ({ from: minute(from), to: minute(to) })

test('keeps the points of the span and one beside it on each side', () => {
  expect(within(drawn, span(1.5, 2.5))).toEqual({
    times: drawn.times.slice(1, 4),
    series: [{ label: 'In', values: [11, null, 13] }],
  })
})

test('keeps all where the span covers all, and the nearest point where it covers none', () => {
  expect(within(drawn, span(-5, 50))).toEqual(drawn)
  expect(within(drawn, span(10, 20)).times).toEqual(drawn.times.slice(4))
  expect(within(drawn, span(-20, -10)).times).toEqual(drawn.times.slice(0, 1))
})
