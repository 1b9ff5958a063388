import { expect, test, vi } from 'vitest'
import { absoluteTime, duration, relativeTime } from './relative-time.ts'

const now = new Date('2026-11-21T12:00:00Z')
const before = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now)

test.each([
  [0, 'now'],
  [9, 'now'],
  [40, '40 sec ago'],
  [185, '3 min ago'],
  [7_100, '1 hr ago'],
  [86_400, '1 day ago'],
  [86_400 * 3, '3 days ago'],
  [86_400 * 70, '2 mo ago'],
  [86_400 * 800, '2 yr ago'],
  [-7_200, 'in 2 hr'],
])('%i seconds ago reads %s', (seconds, words) => {
  expect(before(seconds)).toBe(words)
})

test.each([
  [420, '0.4 s'],
  [42_000, '42 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [1_051_200_000, '12 d 4 h'],
  [3_600_000, '1 h'],
  [-5, '0.0 s'],
])('%i ms last %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})

test.each([
  ['UTC', '3 Sept 2026, 01:02:03 UTC'],
  ['Europe/Paris', '3 Sept 2026, 03:02:03 UTC+02:00'],
  ['Asia/Kolkata', '3 Sept 2026, 06:32:03 UTC+05:30'],
  ['America/St_Johns', '2 Sept 2026, 22:32:03 UTC-02:30'],
])('to a reader in %s it is %s', (zone, words) => {
  vi.stubEnv('TZ', zone)
  expect(absoluteTime(new Date('2026-09-03T01:02:03Z'))).toBe(words)
  vi.unstubAllEnvs()
})

test('a day of UTC is the same day to a reader in Los Angeles, whose own calendar is a day behind', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles')
  vi.resetModules()
  const { calendarDay, calendarDayOfUtc } = await import('./relative-time.ts')
  const midnight = new Date('2026-11-01T00:00:00Z')
  expect([calendarDayOfUtc(midnight), calendarDay(midnight)]).toEqual(['1 Nov 2026', '31 Oct 2026'])
  vi.unstubAllEnvs()
})
