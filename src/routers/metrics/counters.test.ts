import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervalBetween, shareAmongSlots, SLOT_MS, type Interval, type Reading } from './counters.ts'

const T0 = Date.parse('2026-03-02T09:00:00Z')
const reading = (ms: number, cpuNs: bigint, rxBytes: bigint, txBytes: bigint): Reading => ({
  at: new Date(T0 + ms),
  cpuNs,
  rxBytes,
  txBytes,
})
const interval: fc.Arbitrary<Interval> = fc
  .record({
    start: fc.integer({ min: 0, max: 3_600_000 }),
    length: fc.integer({ min: 1, max: 3_600_000 }),
    cpuSeconds: fc.double({ min: 0, max: 3600, noNaN: true }),
    rxBytes: fc.integer({ min: 0, max: 2 ** 45 }),
    txBytes: fc.integer({ min: 0, max: 2 ** 45 }),
  })
  .map(({ start, length, ...rest }) => ({ ...rest, from: new Date(T0 + start), to: new Date(T0 + start + length) }))

describe('two readings', () => {
  it('differ by what happened between them', () => {
    expect(intervalBetween(reading(0, 5n, 100n, 50n), reading(10_000, 1_000_000_005n, 400n, 150n))).toEqual({
      from: new Date(T0),
      to: new Date(T0 + 10_000),
      cpuSeconds: 1,
      rxBytes: 300,
      txBytes: 100,
    })
  })

  it('across a start of the machine count from zero, never below', () => {
    const after = intervalBetween(reading(0, 900n, 10_000n, 10_000n), reading(10_000, 40n, 30n, 20_000n))
    expect(after).toMatchObject({ rxBytes: 30, txBytes: 20_000 })
  })

  it('say nothing when the second is not newer', () => {
    expect(intervalBetween(reading(10, 0n, 0n, 0n), reading(10, 1n, 1n, 1n))).toBeNull()
  })
})

describe('the shares of an interval', () => {
  it('add up to it: in bytes exactly, in time and CPU closely', () => {
    fc.assert(
      fc.property(interval, (whole) => {
        const shares = shareAmongSlots(whole)
        const sum = (pick: (share: (typeof shares)[number]) => number) =>
          shares.reduce((total, one) => total + pick(one), 0)
        expect(sum((one) => one.rxBytes)).toBe(whole.rxBytes)
        expect(sum((one) => one.txBytes)).toBe(whole.txBytes)
        expect(sum((one) => one.seconds)).toBeCloseTo((whole.to.getTime() - whole.from.getTime()) / 1000, 3)
        expect(sum((one) => one.cpuSeconds)).toBeCloseTo(whole.cpuSeconds, 3)
      }),
    )
  })

  it('lie in different slots of the clock, none longer than five minutes', () => {
    fc.assert(
      fc.property(interval, (whole) => {
        const shares = shareAmongSlots(whole)
        expect(new Set(shares.map((one) => one.slot.getTime())).size).toBe(shares.length)
        for (const { slot, seconds } of shares) {
          expect(slot.getTime() % SLOT_MS).toBe(0)
          expect(seconds).toBeGreaterThan(0)
          expect(seconds).toBeLessThanOrEqual(300)
        }
      }),
    )
  })
})
