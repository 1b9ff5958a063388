import { describe, expect, test } from 'vitest'
import { monthOf } from '../charges/period.ts'
import { forecastOf } from './forecast.ts'

const month = monthOf(new Date('2026-04-15'))
const terms = { commitBps: 10_000_000, commitPrice: 0, overagePrice: 40, direction: 'MAX' as const }
/** April has 8 640 slots, 432 of them free. */
const after = (slots: number, above: number, bytes = 0) =>
  forecastOf({ ...month, subject: 'contract:1', terms, usage: { bytes, slots, above, measured: true } }, month)

describe('the forecast', () => {
  test('lasts the month when one slot in twenty is above the commit, and no longer with one more', () => {
    expect(after(4320, 0).lastsUntil).toBeNull()
    expect(after(4320, 216).lastsUntil).toBeNull()
    expect(after(4320, 217).lastsUntil).toBe('2026-04-30T22:25:00.000Z')
    expect(after(288, 288).lastsUntil).toBe('2026-04-02T12:05:00.000Z')
  })

  test('names the moment that has passed when none is left', () => {
    expect(after(4320, 433).lastsUntil).toBe(new Date(+month.from + 4320 * 300_000).toISOString())
  })

  test('says what the percentile so far would cost at the end of the month', () => {
    // 15 Mbit/s are 562 500 000 bytes in a slot: five Mbit/s above the commit.
    expect(after(4320, 300, 562_500_000).overage).toBe(200)
    expect(after(4320, 200, 375_000_000).overage).toBe(0)
  })
})
