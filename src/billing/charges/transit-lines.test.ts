import { expect, test } from 'vitest'
import { monthOf } from './period.ts'
import { transitCharges } from './transit-lines.ts'

const month = monthOf(new Date('2026-11-15T00:00:00Z'))
const terms = { commitBps: 10_000_000, commitPrice: 0, overagePrice: 100, direction: 'MAX' } as const
/** 25 Mbit/s in the slot at the 95th percentile. */
const usage = { bytes: 937_500_000, slots: 8_640, above: 500, measured: true }

const overageOf = (to: string, pauses: { from: Date; to: Date }[] = []) => {
  const segment = { from: month.from, to: new Date(to), subject: 'contract:1', terms, usage }
  return transitCharges([segment], pauses, month, month).flatMap(({ lines }) => lines)[0]!
}
const TEXT = 'IP transit above 10 Mbit/s, 95th percentile of 25 Mbit/s'

test('the overage of a whole month is charged in full and says nothing of proration', () => {
  expect(overageOf('2026-12-01T00:00:00Z')).toMatchObject({ description: TEXT, quantity: 15, amount: 1_500 })
})

test('the overage of a part of a month says that it is prorated, and to how many days', () => {
  expect(overageOf('2026-11-13T12:00:00Z')).toMatchObject({
    description: `${TEXT}, prorated to 12.5 of 30 days`,
    quantity: 6.25,
    amount: 625,
  })
})

test('a pause prorates the overage, and a short one never reads as the whole month', () => {
  const pause = { from: new Date('2026-11-02T00:00:00Z'), to: new Date('2026-11-02T00:01:00Z') }
  expect(overageOf('2026-12-01T00:00:00Z', [pause]).description).toBe(`${TEXT}, prorated to 29.99 of 30 days`)
})
