/** Cases of decision 26 that can be checked by hand. The oracle test beside it covers random ones. */
import { accountIdOf } from '../../platform/db/testing.ts'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { chargeLines, type CustomerUsage } from './charge-lines.ts'
import { sumOf } from './line.ts'
import { monthOf } from './period.ts'

/** June: 30 days, so half of it is 15. */
const month = monthOf(new Date('2026-06-15T00:00:00Z'))
const day = (one: number, time = '00:00'): Date => new Date(`2026-06-${String(one).padStart(2, '0')}T${time}:00Z`)

type UsagePeriod = CustomerUsage['usagePeriods'][number]
type Discount = CustomerUsage['discounts'][number]

const lark = { planSlug: 'lark', planName: 'Lark', hourlyPrice: 2, monthlyPrice: 990 }
const usagePeriod = (startedAt: Date, endedAt: Date | null, change: Partial<UsagePeriod> = {}): UsagePeriod => ({
  routerId: 1,
  accountId: accountIdOf(1),
  routerName: 'ams-1',
  currency: 'EUR',
  ...lark,
  startedAt,
  endedAt,
  ...change,
})

let ids = 0
const discount = (percent: number, change: Partial<Discount> = {}): Discount => ({
  id: ++ids,
  description: 'Partner',
  percent: percent * 100,
  scope: 'ALL',
  from: month.from,
  to: null,
  ...change,
})

const contract = (from: Date, to: Date, bytes = 0): CustomerUsage['transit'][number] => ({
  subject: 'contract:1',
  from,
  to,
  terms: { commitBps: 0, commitPrice: 5_000, overagePrice: 100, direction: 'MAX' },
  usage: { bytes, slots: 8_640, above: 0, measured: true },
})

const linesOf = (facts: Partial<CustomerUsage>, until = month.to) =>
  chargeLines(
    {
      accountId: accountIdOf(1),
      currency: 'EUR',
      period: { ...month, month },
      prices: new Map(),
      usagePeriods: [],
      transit: [],
      discounts: [],
      items: [],
      pauses: [],
      ...facts,
    },
    until,
  )
const due = (facts: Partial<CustomerUsage>, until?: Date) => sumOf(linesOf(facts, until))

describe('what a discount takes', () => {
  test('nothing below zero where a cap and two discounts meet: 990 of routers less a half, and free transit', () => {
    const swift = { planSlug: 'swift', planName: 'Swift', hourlyPrice: 4, monthlyPrice: 990 }
    const facts = {
      usagePeriods: [usagePeriod(day(1), day(16)), usagePeriod(day(16), null, { ...swift, hourlyPrice: 4 })],
      transit: [contract(month.from, month.to)],
      discounts: [discount(50), discount(100, { scope: 'TRANSIT' })],
    }
    const lines = linesOf(facts)
    expect(lines.slice(0, 4).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['ROUTER', 720],
      ['ROUTER', 1_440],
      ['CAP', -1_170],
      ['COMMIT', 5_000],
    ])
    expect(sumOf(lines)).toBe(495)
  })

  test('the same whichever of two discounts was given first', () => {
    const first = discount(50)
    const second = discount(100, { scope: 'TRANSIT' })
    const facts = { usagePeriods: [usagePeriod(day(1), null)], transit: [contract(month.from, month.to)] }
    for (const discounts of [
      [first, second],
      [second, first],
      [
        { ...first, id: second.id },
        { ...second, id: first.id },
      ],
    ]) {
      expect(linesOf({ ...facts, discounts }).map(({ description, amount }) => [description, amount])).toEqual([
        ['Router ams-1, Lark', 990],
        ['IP transit, 0 Mbit/s committed', 5_000],
        ['Partner, 100 % off IP transit', -5_000],
        ['Partner, 50 %', -495],
      ])
    }
  })

  test('all of a router that was ordered after it began', () => {
    const facts = { usagePeriods: [usagePeriod(day(20), null)], discounts: [discount(100, { from: day(16) })] }
    expect(linesOf(facts).map(({ amount }) => amount)).toEqual([528, -528])
  })

  test('all of the addresses of a router too', () => {
    const price = { id: 1, from: day(1), hourly: 1, monthly: 150, oneOff: null, transit: null }
    const facts = {
      usagePeriods: [usagePeriod(day(1), null)],
      prices: new Map([['address:ipv4', [price]]]),
      discounts: [discount(100, { scope: 'ROUTERS' })],
    }
    expect(linesOf(facts).map(({ amount }) => amount)).toEqual([990, 150, -1_140])
  })

  test('nothing of a router that ended before it began', () => {
    const facts = { usagePeriods: [usagePeriod(day(1), day(11))], discounts: [discount(100, { from: day(20) })] }
    expect(linesOf(facts).map(({ amount }) => amount)).toEqual([480])
  })

  test('half of a capped month in which it held for half the time, whichever half', () => {
    const usagePeriods = [usagePeriod(day(1), null)]
    expect(due({ usagePeriods, discounts: [discount(100, { to: day(16) })] })).toBe(495)
    expect(due({ usagePeriods, discounts: [discount(100, { from: day(16) })] })).toBe(495)
  })

  test('a discount is split by the price of the hours where one of two plans ran while it held', () => {
    const swift = { planSlug: 'swift', planName: 'Swift', hourlyPrice: 4, monthlyPrice: 990 }
    const usagePeriods = [usagePeriod(day(1), day(16)), usagePeriod(day(16), null, swift)]
    // 360 h at 2 and 360 h at 4 are capped at 990: the second half is two thirds of it.
    expect(due({ usagePeriods, discounts: [discount(100, { from: day(16) })] })).toBe(330)
  })

  test('the part of commit and overage that its time is of the terms, with one percentile for all of them', () => {
    // 375 000 000 bytes in a slot are 10 Mbit/s: 1 000 of overage.
    const transit = [contract(month.from, month.to, 375_000_000)]
    const lines = linesOf({ transit, discounts: [discount(50, { scope: 'TRANSIT', from: day(16) })] })
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['COMMIT', 5_000],
      ['OVERAGE', 1_000],
      ['DISCOUNT', -1_500],
    ])
    expect(lines[2]!.evidence).toMatchObject({ taken: { COMMIT: 1_250, OVERAGE: 250 } })
  })

  test('nothing of fees, and nothing while the account had ended', () => {
    const facts = {
      usagePeriods: [usagePeriod(day(1), null)],
      items: [{ id: 1, kind: 'FEE' as const, description: 'Setup', remaining: 500, effectiveAt: day(1) }],
      pauses: [{ from: day(2), to: null }],
      discounts: [discount(100, { from: day(2) })],
    }
    expect(linesOf(facts).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['ROUTER', 48],
      ['FEE', 500],
    ])
  })
})

describe('the line of a discount', () => {
  test('says what it is off and for how long, unless it held all the time', () => {
    const usagePeriods = [usagePeriod(day(1), null)]
    const descriptionOf = (one: Discount, until?: Date) =>
      linesOf({ usagePeriods, discounts: [one] }, until).at(-1)!.description
    expect(descriptionOf(discount(7.5))).toBe('Partner, 7.5 %')
    expect(descriptionOf(discount(5, { scope: 'ROUTERS' }))).toBe('Partner, 5 % off routers and addresses')
    const some = discount(5, { from: day(3, '14:30'), to: day(20) })
    expect(descriptionOf(some)).toBe('Partner, 5 %, from 3 Jun 2026, 14:30 until 20 Jun 2026, 00:00 UTC')
    expect(descriptionOf(some, day(10))).toBe('Partner, 5 %, from 3 Jun 2026, 14:30 UTC')
  })
})

test('several discounts take from no kind more than it is, and the same in any order', () => {
  const hour = fc.nat(720)
  const at = (hours: number) => new Date(month.from.getTime() + hours * 3_600_000)
  const given = fc
    .record({
      percent: fc.integer({ min: 1, max: 100 }),
      scope: fc.constantFrom('ALL', 'ROUTERS', 'TRANSIT'),
      a: hour,
      b: hour,
    })
    .map(({ percent, scope, a, b }) =>
      discount(percent, { scope, from: at(Math.min(a, b)), to: at(Math.max(a, b) + 1) }),
    )
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 5 }),
      fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      hour,
      (all, keys, began) => {
        const facts = {
          usagePeriods: [usagePeriod(at(began), null)],
          transit: [contract(month.from, month.to, 375_000_000)],
        }
        const lines = linesOf({ ...facts, discounts: all })
        const other = all.map((one, index) => ({ ...one, id: keys[index]! })).toSorted((a, b) => a.id - b.id)
        const amounts = (found: typeof lines) => found.map(({ description, amount }) => [description, amount])
        expect(amounts(linesOf({ ...facts, discounts: other }))).toEqual(amounts(lines))
        const left: Record<string, number> = {}
        for (const { kind, amount } of lines) if (kind !== 'DISCOUNT') left[kind] = (left[kind] ?? 0) + amount
        for (const { kind, evidence, amount } of lines) {
          if (kind !== 'DISCOUNT') continue
          expect(amount).toBeLessThan(0)
          for (const [of, taken] of Object.entries(evidence['taken'] as Record<string, number>)) left[of]! -= taken
        }
        expect(Math.min(0, ...Object.values(left))).toBe(0)
      },
    ),
    { numRuns: 300 },
  )
})
