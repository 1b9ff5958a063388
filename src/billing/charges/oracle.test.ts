/**
 * An oracle written from the text of the rules and in another style than the engine: it walks a month moment by moment
 * with whole numbers alone, and sorts where the engine selects.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { billedRank } from '../metering/percentile.ts'
import type { PriceList } from '../prices/price-list.ts'
import { chargeLines, type CustomerFacts } from './charge-lines.ts'
import { sumOf } from './line.ts'
import { monthOf } from './period.ts'
import type { PieceUsage } from './transit-lines.ts'

const MONTHS = 50_000
const MINUTE = 60_000

interface Plan {
  readonly name: string
  readonly hourly: number
  readonly monthly: number
}
interface Held {
  readonly router: number
  readonly plan: Plan
  readonly from: number
  readonly to: number
}
interface Change {
  readonly plan: string
  readonly at: number
  readonly hourly: number
  readonly monthly: number
}

/** Minute by minute: which price holds, how many minutes at each, hours begun, the cap. */
function oracleOfRouters(held: readonly Held[], changes: readonly Change[], minutes: number): bigint {
  let total = 0n
  for (const router of new Set(held.map((one) => one.router))) {
    const spent = new Map<string, { minutes: number; hourly: number; monthly: number }>()
    const edges = new Set([0, minutes])
    for (const one of held) edges.add(one.from).add(Math.min(one.to, minutes))
    for (const one of changes) edges.add(one.at)
    const moments = [...edges].filter((edge) => edge >= 0 && edge <= minutes).sort((a, b) => a - b)
    for (let i = 0; i + 1 < moments.length; i++) {
      const [start, end] = [moments[i]!, moments[i + 1]!]
      const own = held.find((one) => one.router === router && one.from <= start && end <= one.to)
      if (!own) continue
      let price = { hourly: own.plan.hourly, monthly: own.plan.monthly }
      for (const change of [...changes].sort((a, b) => a.at - b.at)) {
        if (change.plan === own.plan.name && change.at <= start) price = change
      }
      const key = `${own.plan.name}/${price.hourly}/${price.monthly}`
      const before = spent.get(key)?.minutes ?? 0
      spent.set(key, { minutes: before + end - start, hourly: price.hourly, monthly: price.monthly })
    }
    let sum = 0n
    let cap = 0n
    for (const one of spent.values()) {
      sum += BigInt(Math.floor((one.minutes + 59) / 60)) * BigInt(one.hourly)
      if (BigInt(one.monthly) > cap) cap = BigInt(one.monthly)
    }
    total += sum < cap ? sum : cap
  }
  return total
}

/** a / b to the nearest whole, a half upwards. */
const half = (a: bigint, b: bigint): bigint => {
  const whole = a / b
  return (a - whole * b) * 2n >= b ? whole + 1n : whole
}

const MONTH = fc.tuple(fc.integer({ min: 2024, max: 2032 }), fc.integer({ min: 0, max: 11 })).map(([year, index]) => {
  const month = monthOf(new Date(Date.UTC(year, index, 15)))
  return { month, minutes: (month.to.getTime() - month.from.getTime()) / MINUTE }
})

describe('against an oracle of another hand', () => {
  test(`routers of ${MONTHS} random months cost the same to the cent`, () => {
    const price = { hourly: fc.integer({ min: 0, max: 20 }), monthly: fc.integer({ min: 0, max: 9000 }) }
    const plan = fc.record({ name: fc.constantFrom('lark', 'swift'), ...price })
    const stretch = fc.record({ router: fc.integer({ min: 1, max: 3 }), plan, a: fc.nat(44_640), b: fc.nat(44_640) })
    const change = fc.record({ plan: fc.constantFrom('lark', 'swift'), at: fc.nat(44_640), ...price })
    fc.assert(
      fc.property(
        MONTH,
        fc.array(stretch, { maxLength: 5 }),
        fc.array(change, { maxLength: 3 }),
        ({ month, minutes }, stretches, wanted) => {
          const held = disjoint(stretches)
          const changes = wanted.filter((one, index) => wanted.findIndex((other) => other.at === one.at) === index)
          const facts = factsOf(month, held, changes)
          const lines = chargeLines(facts, month.to)
          expect(BigInt(sumOf(lines))).toBe(oracleOfRouters(held, changes, minutes))
          for (const line of lines) expect(line.quantity * line.unitPrice).toBe(line.amount)
        },
      ),
      { numRuns: MONTHS },
    )
  })

  test(`transit of ${MONTHS} random contracts costs the same to the cent`, () => {
    const contract = fc.record({
      day: fc.integer({ min: 0, max: 27 }),
      commitMbps: fc.nat(10_000),
      commitPrice: fc.nat(1_000_000),
      overagePrice: fc.nat(2_000),
      bytes: fc.nat(400_000_000_000),
    })
    fc.assert(
      fc.property(MONTH, fc.array(contract, { minLength: 1, maxLength: 3 }), ({ month, minutes }, wanted) => {
        const contracts = wanted
          .toSorted((a, b) => a.day - b.day)
          .filter((one, index, all) => all.findIndex((other) => other.day === one.day) === index)
        const transit = contracts.map((one, index) => ({
          subject: `contract:${index}`,
          from: new Date(month.from.getTime() + one.day * 1440 * MINUTE),
          to: contracts[index + 1]
            ? new Date(month.from.getTime() + contracts[index + 1]!.day * 1440 * MINUTE)
            : month.to,
          terms: {
            commitBps: one.commitMbps * 1_000_000,
            commitPrice: one.commitPrice,
            overagePrice: one.overagePrice,
            direction: 'MAX' as const,
          },
          usage: { bytes: one.bytes, slots: 1, above: 0, measured: true } satisfies PieceUsage,
        }))
        let expected = 0n
        for (const [index, one] of contracts.entries()) {
          const until = contracts[index + 1] ? contracts[index + 1]!.day * 1440 : minutes
          const share = BigInt(until - one.day * 1440)
          expected += half(BigInt(one.commitPrice) * share, BigInt(minutes))
          // Bytes to bit/s in millionths: nothing is lost before the end.
          const microbits = (BigInt(one.bytes) * 8n * 1_000_000n) / 300n
          const exact = BigInt(one.bytes) * 8n * 1_000_000n - microbits * 300n
          const over = BigInt(one.bytes) * 8n - BigInt(one.commitMbps) * 300_000_000n
          expect(exact).toBeGreaterThanOrEqual(0n)
          if (over > 0n) expected += half(over * BigInt(one.overagePrice) * share, 300_000_000n * BigInt(minutes))
        }
        const lines = chargeLines({ ...factsOf(month, [], []), transit }, month.to)
        expect(BigInt(sumOf(lines))).toBe(expected)
      }),
      { numRuns: MONTHS },
    )
  })

  test('the slot that counts is the one that sorting and dropping a twentieth leaves on top', () => {
    const counts = fc.array(fc.oneof(fc.nat(20), fc.nat(1_000_000_000)), { minLength: 1, maxLength: 900, size: 'max' })
    fc.assert(
      fc.property(counts, (all) => {
        const sorted = all.toSorted((a, b) => a - b)
        const dropped = (BigInt(sorted.length) * 5n) / 100n
        const kept = sorted.slice(0, sorted.length - Number(dropped))
        expect(sorted.at(-billedRank(all.length))).toBe(kept.at(-1))
      }),
      { numRuns: 1_000 },
    )
  })

  test('months of 28 to 31 days drop 403, 417, 432 and 446 slots', () => {
    expect([28, 29, 30, 31].map((days) => billedRank(days * 288) - 1)).toEqual([403, 417, 432, 446])
  })
})

/** A router has one plan at a time: stretches that overlap an earlier one of the same router are dropped. */
function disjoint(stretches: readonly { router: number; plan: Plan; a: number; b: number }[]): Held[] {
  const held: Held[] = []
  for (const { router, plan, a, b } of stretches) {
    const one = { router, plan, from: Math.min(a, b), to: Math.max(a, b) }
    const clashes = held.some((other) => other.router === router && one.from < other.to && other.from < one.to)
    if (one.from < one.to && !clashes) held.push(one)
  }
  return held
}

function factsOf(month: { from: Date; to: Date }, held: readonly Held[], changes: readonly Change[]): CustomerFacts {
  const at = (minute: number) => new Date(month.from.getTime() + minute * MINUTE)
  const prices: PriceList = Map.groupBy(
    changes
      .toSorted((a, b) => a.at - b.at)
      .map((change, id) => ({
        product: `router:${change.plan}`,
        id,
        from: at(change.at),
        hourly: change.hourly,
        monthly: change.monthly,
        once: null,
        transit: null,
      })),
    (version) => version.product,
  )
  return {
    userId: 1,
    currency: 'EUR',
    period: { ...month, month },
    prices,
    spans: held
      .toSorted((a, b) => a.from - b.from)
      .map((one) => ({
        routerId: one.router,
        userId: 1,
        routerName: `r${one.router}`,
        planSlug: one.plan.name,
        planName: one.plan.name,
        hourlyPrice: one.plan.hourly,
        monthlyPrice: one.plan.monthly,
        currency: 'EUR',
        startedAt: at(one.from),
        endedAt: at(one.to),
      })),
    transit: [],
    discounts: [],
    items: [],
    pauses: [],
  }
}
