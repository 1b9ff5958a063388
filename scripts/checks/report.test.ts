import { expect, test } from 'vitest'
import { failed, passed, skipped, sum } from './test-summary.ts'
import { summaryLine } from './report.ts'

test('nothing but the counts is said of what passed', () => {
  expect(summaryLine(sum([passed(2), passed(3)]))).toBe('\n5 passed, 0 failed')
})

test('what was skipped is listed by its reason, what failed with why, and the counts come last', () => {
  const summary = sum([
    passed(7),
    skipped('the edge', 'there is no BIRD'),
    failed('lint', '\u001B[31mnavbar.ts:3\u001B[39m\n\n  is not used\n'),
    skipped('the lab', 'there is no BIRD'),
  ])
  expect(summaryLine(summary)).toBe(`
Skipped: there is no BIRD
  the edge
  the lab

Failed:
  lint
    navbar.ts:3
      is not used

7 passed, 1 failed, 2 skipped`)
})

test('what failed at length is told in short', () => {
  const long = Array.from({ length: 100 }, () => 'x'.repeat(1_000)).join('\n')
  const lines = summaryLine(failed('long', long)).split('\n')
  expect(lines.length).toBeLessThan(20)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250)
})
