import { expect, test } from 'vitest'
import { forecastLabels } from './forecast-labels.ts'

const now = new Date('2026-04-10T00:00:00Z')
const segment = (above: number, forecast: { overage: number; lastsUntil: string | null }) => ({
  from: '2026-04-01T00:00:00Z',
  to: '2026-05-01T00:00:00Z',
  subject: 'contract:1',
  percentileBps: 1,
  slots: 2592,
  slotsInAll: 8640,
  above,
  free: 432,
  left: Math.max(0, 432 - above),
  measured: true,
  forecast,
})

test('a month within the commit is told so', () => {
  expect(forecastLabels(segment(12, { overage: 0, lastsUntil: null }), 'EUR', now, false)).toEqual({
    tone: 'ok',
    label: 'Within the commit',
    samples: '420 of 432 burst samples left.',
    end: 'At this rate, they will last the month.',
  })
})

test('a month that leads above it says when and for how much', () => {
  expect(
    forecastLabels(segment(200, { overage: 1250, lastsUntil: '2026-04-20T11:05:00Z' }), 'EUR', now, false),
  ).toMatchObject({
    tone: 'warn',
    samples: '232 of 432 burst samples left.',
    end: 'At this rate, they last until 20 April at 11:05 UTC. At this rate, the month ends with €12.50 of overage.',
  })
})

test('a month that is above it says what that comes to', () => {
  expect(
    forecastLabels(segment(433, { overage: 900, lastsUntil: '2026-04-09T00:00:00Z' }), 'EUR', now, false),
  ).toMatchObject({
    tone: 'bad',
    samples: 'All 432 burst samples have been used.',
    end: 'At this rate, the month ends with €9.00 of overage.',
  })
})

test('a cost that discounts will reduce says that it is before them', () => {
  const { end } = forecastLabels(segment(433, { overage: 900, lastsUntil: '2026-04-09T00:00:00Z' }), 'EUR', now, true)
  expect(end).toBe('At this rate, the month ends with €9.00 of overage, before discounts.')
})
