import { expect, test } from 'vitest'
import { stagesToCome, wantedStage } from './stages.ts'

const days = {
  reminder_days: 1,
  warning_days: 10,
  drain_days: 14,
  sessions_down_days: 15,
  suspend_days: 17,
  termination_days: 45,
}
const due = new Date('2026-03-01T00:00:00Z')
const upcoming = (stage: 'CURRENT' | 'REMINDED', since: string, now: string) =>
  stagesToCome(due, days, { stage, since: new Date(since), pausedUntil: null }, new Date(now)).map((step) => [
    step.stage,
    step.at.toISOString().slice(0, 10),
  ])

test('what comes is told for its day', () => {
  expect(upcoming('REMINDED', '2026-03-02', '2026-03-03').slice(0, 3)).toEqual([
    ['WARNED', '2026-03-11'],
    ['DRAINED', '2026-03-15'],
    ['SESSIONS_DOWN', '2026-03-16'],
  ])
})

test('a customer who is behind the calendar is told of a step a day, never of days that have passed', () => {
  expect(upcoming('REMINDED', '2026-03-20', '2026-03-20')).toEqual([
    ['WARNED', '2026-03-21'],
    ['DRAINED', '2026-03-22'],
    ['SESSIONS_DOWN', '2026-03-23'],
    ['SUSPENDED', '2026-03-24'],
    ['TERMINATED', '2026-04-15'],
  ])
  expect(upcoming('CURRENT', '2026-03-20', '2026-03-20')[0]).toEqual(['REMINDED', '2026-03-20'])
})

test.each([
  ['2026-03-01T23:59:59Z', 'CURRENT'],
  ['2026-03-02T00:00:00Z', 'REMINDED'],
  ['2026-03-11T00:00:00Z', 'WARNED'],
  ['2026-03-15T00:00:00Z', 'DRAINED'],
  ['2026-03-16T00:00:00Z', 'SESSIONS_DOWN'],
  ['2026-03-17T23:59:59Z', 'SESSIONS_DOWN'],
  ['2026-03-18T00:00:00Z', 'SUSPENDED'],
  ['2026-04-15T00:00:00Z', 'TERMINATED'],
])('the stage at %s of what was due on the first is %s', (now, stage) => {
  expect(wantedStage(due, days, new Date(now))).toBe(stage)
})

test('no step is told for a day before the end of a pause', () => {
  const paused = { stage: 'REMINDED', since: new Date('2026-03-02'), pausedUntil: new Date('2026-03-20') } as const
  expect(stagesToCome(due, days, paused, new Date('2026-03-03'))[0]).toEqual({
    stage: 'WARNED',
    at: new Date('2026-03-20'),
  })
})
