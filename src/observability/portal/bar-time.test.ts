import { expect, test } from 'vitest'
import { barDuration, barTime } from './bar-time.ts'

test.for([
  [new Date(2026, 10, 21, 0, 5, 9), '2026-11-21 12:05:09'],
  [new Date(2026, 0, 2, 9, 30, 0), '2026-01-02 9:30:00'],
  [new Date(2026, 0, 2, 12, 0, 0), '2026-01-02 12:00:00'],
  [new Date(2026, 0, 2, 23, 59, 59), '2026-01-02 11:59:59'],
] as const)('%s reads %s', ([at, text]) => expect(barTime(at)).toBe(text))

test.for([
  [0.04, '0.0 ms'],
  [9.94, '9.9 ms'],
  [12.4, '12 ms'],
  [1250, '1.25 s'],
] as const)('%f ms reads %s', ([ms, text]) => expect(barDuration(ms)).toBe(text))
