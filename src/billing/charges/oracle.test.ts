/**
 * An oracle written from the text of decisions 7, 16 and 26, in a different style than the engine. It steps through a
 * month minute by minute, counts whole minutes, sorts where the engine selects, and uses no intervals.
 */
import type { AccountId } from '../../kernel/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { billedRank } from '../metering/percentile.ts'
import type { PriceList } from '../prices/price-list.ts'
import { chargeLines, type CustomerUsage } from './charge-lines.ts'
import type { Discount } from './discounts.ts'
import { sumOf, type ChargeLine } from './line.ts'
import { monthOf, SLOT_MS, slotsIn } from './period.ts'
import { termsIn, type SegmentUsage } from './transit-lines.ts'

/** 100 000 in `npm run prove`. */
const CUSTOMER_MONTHS = process.env['PROVE'] ? 100_000 : 2_000
const MINUTE = 60_000
const MOST_MINUTES = 44_640
const SLOT_MINUTES = 5

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
  readonly product: string
  readonly at: number
  readonly hourly: number
  readonly monthly: number
}
interface Terms {
  readonly at: number
  readonly commitMbps: number
  readonly commitPrice: number
  readonly overagePrice: number
}
interface Given {
  readonly percent: number
  readonly scope: 'ALL' | 'ROUTERS' | 'TRANSIT'
  readonly from: number
  readonly to: number | null
}
/** All times are minutes of the month. */
interface Customer {
  readonly month: { readonly from: Date; readonly to: Date }
  readonly minutes: number
  /** The part of the month that is charged. */
  readonly from: number
  readonly until: number
  readonly held: readonly Held[]
  readonly changes: readonly Change[]
  readonly contracts: readonly (Terms & { readonly agreed: boolean })[]
  readonly listed: readonly Terms[]
  /** The seed and the maximum from which the bytes of its slots are generated. */
  readonly traffic: { readonly seed: number; readonly most: number }
  readonly discounts: readonly Given[]
  readonly pause: { readonly from: number; readonly to: number } | null
  readonly fee: number
  readonly credit: number
}

interface Bill {
  routers: bigint
  addresses: bigint
  commit: bigint
  overage: bigint
  discount: bigint
}

/** Returns a / b rounded to the nearest integer, a half upwards. */
const half = (a: bigint, b: bigint): bigint => {
  const whole = a / b
  return (a - whole * b) * 2n >= b ? whole + 1n : whole
}

/**
 * Minutes, or minutes times a price, by the set of discounts that applied. The index is a bit set: bit i stands for
 * discount i.
 */
type BySet = number[]

interface Rate {
  minutes: number
  readonly hourly: number
  readonly monthly: number
  readonly sets: BySet
}

const MOST_DISCOUNTS = 4
const noWeights = (): BySet => Array.from({ length: 2 ** MOST_DISCOUNTS }, () => 0)

function oracle(customer: Customer): Bill {
  const { minutes, from, until, discounts, pause } = customer
  const traffic = bytesOf(customer)
  const bill: Bill = { routers: 0n, addresses: 0n, commit: 0n, overage: 0n, discount: 0n }
  const sets = new Uint8Array(minutes)
  for (const [index, one] of discounts.entries()) {
    for (let minute = one.from; minute < Math.min(one.to ?? minutes, minutes); minute++) sets[minute]! |= 1 << index
  }
  const charged = new Uint8Array(minutes).fill(1, from, until)
  if (pause) charged.fill(0, pause.from, pause.to)

  const take = (charge: bigint, weights: BySet, scope: 'ROUTERS' | 'TRANSIT') => {
    if (charge === 0n) return
    let left = 0n
    let whole = 0n
    for (const [set, weight] of weights.entries()) {
      let rest = BigInt(weight)
      for (const [index, one] of discounts.entries()) {
        const holds = set & (1 << index) && (one.scope === 'ALL' || one.scope === scope)
        rest *= BigInt(holds ? 10_000 - one.percent : 10_000)
      }
      left += rest
      whole += BigInt(weight) * 10_000n ** BigInt(discounts.length)
    }
    bill.discount += half(charge * (whole - left), whole)
  }

  /** Returns the index of the change in force in each minute; -1 for none. */
  const inForce = (product: string): Int8Array => {
    const painted = new Int8Array(minutes).fill(-1)
    for (const [index, one] of customer.changes.entries()) if (one.product === product) painted.fill(index, one.at)
    return painted
  }

  const metered = (router: number, product: (held: Held) => string, agreed: (held: Held) => Plan | null) => {
    const spent = new Map<string, Rate>()
    for (const own of customer.held) {
      if (own.router !== router) continue
      const versions = inForce(product(own))
      let last: number | undefined
      let rate: Rate | undefined
      for (let minute = own.from; minute < own.to && minute < minutes; minute++) {
        if (!charged[minute]) continue
        if (versions[minute] !== last) {
          last = versions[minute]!
          const price = customer.changes[last] ?? agreed(own)
          const key = price ? `${agreed(own)?.name}/${price.hourly}/${price.monthly}` : ''
          rate = spent.get(key)
          if (price && !rate) {
            rate = { minutes: 0, hourly: price.hourly, monthly: price.monthly, sets: noWeights() }
            spent.set(key, rate)
          }
        }
        if (!rate) continue
        rate.minutes++
        rate.sets[sets[minute]!]!++
      }
    }
    let sum = 0
    let cap = 0
    const weights = noWeights()
    for (const rate of spent.values()) {
      sum += Math.floor((rate.minutes + 59) / 60) * rate.hourly
      cap = Math.max(cap, rate.monthly)
      for (const [set, count] of rate.sets.entries()) weights[set]! += count * rate.hourly
    }
    const charge = BigInt(Math.min(sum, cap))
    take(charge, weights, 'ROUTERS')
    return charge
  }
  for (const router of new Set(customer.held.map((one) => one.router))) {
    bill.routers += metered(
      router,
      (held) => held.plan.name,
      (held) => held.plan,
    )
    bill.addresses += metered(
      router,
      () => 'address',
      () => null,
    )
  }

  /** Contract i is i + 1, version i of the price list is -i - 1, nothing is 0. */
  const owners = new Int8Array(MOST_MINUTES)
  for (const [index, one] of customer.listed.entries()) owners.fill(-index - 1, one.at)
  const listed = owners.slice()
  for (const [index, one] of customer.contracts.entries()) {
    if (one.agreed) owners.fill(index + 1, one.at)
    else owners.set(listed.subarray(one.at), one.at)
  }
  let owner = owners[from]!
  let slots: number[] = []
  let covered = 0
  let weights = noWeights()
  const finish = () => {
    const terms = owner > 0 ? customer.contracts[owner - 1]! : customer.listed[-owner - 1]!
    const used = slots.some((bytes) => bytes > 0)
    if (owner > 0 || (owner < 0 && used)) {
      const commit = half(BigInt(terms.commitPrice) * BigInt(covered), BigInt(minutes))
      bill.commit += commit
      take(commit, weights, 'TRANSIT')
      const cached = Float64Array.from(slots)
        .sort()
        .slice(0, slots.length - Math.floor((slots.length * 5) / 100))
      const over = BigInt(cached.at(-1) ?? 0) * 8n - BigInt(terms.commitMbps) * 300_000_000n
      const overage =
        over > 0n ? half(over * BigInt(terms.overagePrice) * BigInt(covered), 300_000_000n * BigInt(minutes)) : 0n
      bill.overage += overage
      take(overage, weights, 'TRANSIT')
    }
    slots = []
    covered = 0
    weights = noWeights()
  }
  for (let minute = from; minute < until; minute++) {
    if (owners[minute] !== owner) {
      finish()
      owner = owners[minute]!
    }
    // A slot belongs to the terms that apply in its first minute.
    if (minute % SLOT_MINUTES === 0) slots.push(traffic[minute / SLOT_MINUTES]!)
    if (!charged[minute]) continue
    covered++
    weights[sets[minute]!]!++
  }
  finish()
  return bill
}

const MINUTE_OF_MONTH = fc.nat(MOST_MINUTES - 1)
const PRICE = { hourly: fc.nat(20), monthly: fc.nat(9_000) }
const TERMS = {
  at: MINUTE_OF_MONTH,
  commitMbps: fc.nat(10_000),
  commitPrice: fc.nat(1_000_000),
  overagePrice: fc.nat(2_000),
}
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })

const CUSTOMER: fc.Arbitrary<Customer> = fc
  .record({
    year: fc.integer({ min: 2024, max: 2032 }),
    index: fc.integer({ min: 0, max: 11 }),
    begins: fc.oneof(fc.constant(0), MINUTE_OF_MONTH),
    ends: fc.oneof(fc.constant(MOST_MINUTES), MINUTE_OF_MONTH),
    segments: fc.array(
      fc.record({
        router: fc.integer({ min: 1, max: 3 }),
        plan: fc.record({ name: fc.constantFrom('lark', 'swift'), ...PRICE }),
        a: MINUTE_OF_MONTH,
        b: fc.nat(MOST_MINUTES),
      }),
      { maxLength: 5 },
    ),
    changes: fc.array(
      fc.record({ product: fc.constantFrom('lark', 'swift', 'address'), at: MINUTE_OF_MONTH, ...PRICE }),
      { maxLength: 4 },
    ),
    contracts: fc.array(fc.record({ agreed: fc.boolean(), ...TERMS }), { maxLength: 3 }),
    listed: fc.array(fc.record(TERMS), { maxLength: 2 }),
    traffic: fc.record({
      seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      most: fc.constantFrom(0, 1_000, 400_000_000_000),
    }),
    discounts: fc.array(
      fc.record({
        percent: fc.oneof(fc.constantFrom(5_000, 10_000), fc.integer({ min: 1, max: 10_000 })),
        scope: fc.constantFrom('ALL', 'ROUTERS', 'TRANSIT'),
        a: fc.oneof(fc.constant(0), MINUTE_OF_MONTH),
        b: often(MINUTE_OF_MONTH),
      }),
      { maxLength: MOST_DISCOUNTS },
    ),
    pause: fc.option(fc.tuple(MINUTE_OF_MONTH, MINUTE_OF_MONTH), { freq: 1 }),
    fee: fc.nat(5_000),
    credit: fc.nat(50_000),
  })
  .map(({ year, index, ...one }) => {
    const month = monthOf(new Date(Date.UTC(year, index, 15)))
    const minutes = (month.to.getTime() - month.from.getTime()) / MINUTE
    const from = Math.min(one.begins, minutes - 1)
    return {
      month,
      minutes,
      from,
      until: Math.max(from + 1, Math.min(one.ends, minutes)),
      held: disjoint(one.segments),
      changes: ascending(one.changes, ({ product, at }) => `${product} ${at}`),
      contracts: ascending(one.contracts, ({ at }) => at),
      listed: ascending(one.listed, ({ at }) => at),
      traffic: one.traffic,
      discounts: one.discounts.map(({ percent, scope, a, b }) => ({
        percent,
        scope,
        from: b === null ? a : Math.min(a, b),
        to: b === null ? null : Math.max(a, b) + 1,
      })),
      pause: one.pause && { from: Math.min(...one.pause), to: Math.max(...one.pause) + 1 },
      fee: one.fee,
      credit: one.credit,
    }
  })

describe('against an oracle of another hand', () => {
  test(`${CUSTOMER_MONTHS} random customer-months with discounts, caps and ends inside a slot cost the same to the cent`, () => {
    fc.assert(
      fc.property(CUSTOMER, (customer) => {
        const lines = chargeLines(factsOf(customer), minuteOf(customer, customer.until))
        const expected = oracle(customer)
        const sumWhere = (test: (line: ChargeLine) => boolean) => BigInt(sumOf(lines.filter(test)))
        const isOf = (subject: RegExp) => (line: ChargeLine) => subject.test(line.subject)
        expect({
          routers: sumWhere(isOf(/^router:\d+$/)),
          addresses: sumWhere(isOf(/^router:\d+:ipv4$/)),
          commit: sumWhere(({ kind }) => kind === 'COMMIT'),
          overage: sumWhere(({ kind }) => kind === 'OVERAGE'),
          discount: -sumWhere(({ kind }) => kind === 'DISCOUNT'),
        }).toEqual(expected)
        const { routers, addresses, commit, overage, discount } = expected
        const due = routers + addresses + commit + overage - discount + BigInt(customer.fee)
        const credit = BigInt(customer.credit)
        expect(BigInt(sumOf(lines))).toBe(due - (credit < due ? credit : due))
        for (const line of lines.filter(({ kind }) => kind === 'ROUTER' || kind === 'ADDRESS')) {
          expect(line.quantity * line.unitPrice).toBe(line.amount)
        }
      }),
      { numRuns: CUSTOMER_MONTHS },
    )
  }, 120_000)

  test('the slot that counts is the one that sorting and dropping a twentieth leaves on top', () => {
    const counts = fc.array(fc.oneof(fc.nat(20), fc.nat(1_000_000_000)), { minLength: 1, maxLength: 900, size: 'max' })
    fc.assert(
      fc.property(counts, (all) => {
        const sorted = all.toSorted((a, b) => a - b)
        const dropped = (BigInt(sorted.length) * 5n) / 100n
        const cached = sorted.slice(0, sorted.length - Number(dropped))
        expect(sorted.at(-billedRank(all.length))).toBe(cached.at(-1))
      }),
      { numRuns: 1_000 },
    )
  })

  test('months of 28 to 31 days drop 403, 417, 432 and 446 slots', () => {
    expect([28, 29, 30, 31].map((days) => billedRank(days * 288) - 1)).toEqual([403, 417, 432, 446])
  })
})

/** Drops segments that overlap an earlier one of the same router, because a router has one plan at a time. */
function disjoint(segments: readonly { router: number; plan: Plan; a: number; b: number }[]): Held[] {
  const held: Held[] = []
  for (const { router, plan, a, b } of segments) {
    const one = { router, plan, from: Math.min(a, b), to: Math.max(a, b) }
    const clashes = held.some((other) => other.router === router && one.from < other.to && other.from < one.to)
    if (one.from < one.to && !clashes) held.push(one)
  }
  return held
}

/** Sorts by time and keeps only the first entry with each key. */
const ascending = <T extends { readonly at: number }>(all: readonly T[], keyOf: (one: T) => unknown): T[] =>
  all
    .filter((one, index) => all.findIndex((other) => keyOf(other) === keyOf(one)) === index)
    .toSorted((a, b) => a.at - b.at)

/**
 * Returns the bytes of each slot of the month from a xorshift generator. Generating 8 928 numbers with fast-check
 * would take longer than everything else.
 */
function bytesOf({ traffic: { seed, most } }: Customer): Float64Array {
  let state = seed
  return Float64Array.from({ length: MOST_MINUTES / SLOT_MINUTES }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return Math.floor(((state >>> 0) / 2 ** 32) * most)
  })
}

const minuteOf = ({ month }: Customer, minute: number): Date => new Date(month.from.getTime() + minute * MINUTE)

function factsOf(customer: Customer): CustomerUsage {
  const at = (minute: number) => minuteOf(customer, minute)
  const traffic = bytesOf(customer)
  const period = { from: at(customer.from), to: customer.month.to, month: customer.month }
  const blank = { hourly: 0, monthly: 0, oneOff: null, transit: null }
  const termsOf = ({ commitMbps, commitPrice, overagePrice }: Terms) => ({
    commitBps: commitMbps * 1_000_000,
    commitPrice,
    overagePrice,
    direction: 'MAX' as const,
  })
  const prices: PriceList = Map.groupBy(
    [
      ...customer.changes.map(({ product, hourly, monthly, ...one }, id) => ({
        ...blank,
        id,
        from: at(one.at),
        hourly,
        monthly,
        product: product === 'address' ? 'address:ipv4' : `router:${product}`,
      })),
      ...customer.listed.map((one, id) => ({
        ...blank,
        id,
        from: at(one.at),
        transit: termsOf(one),
        product: 'transit',
      })),
    ],
    ({ product }) => product,
  )
  const contracts = customer.contracts.map((one, id) => ({ id, from: at(one.at), agreed: one.agreed, ...termsOf(one) }))
  return {
    accountId: 1 as AccountId,
    currency: 'EUR',
    period,
    prices,
    usagePeriods: customer.held
      .toSorted((a, b) => a.from - b.from)
      .map((one) => ({
        routerId: one.router,
        accountId: 1 as AccountId,
        routerName: `r${one.router}`,
        planSlug: one.plan.name,
        planName: one.plan.name,
        hourlyPrice: one.plan.hourly,
        monthlyPrice: one.plan.monthly,
        currency: 'EUR',
        startedAt: at(one.from),
        endedAt: at(one.to),
      })),
    transit: termsIn(period, contracts, prices).map((segment) => ({
      ...segment,
      usage: usageOf(customer, traffic, segment.from, segment.to),
    })),
    discounts: customer.discounts.map((one, id) => discountOf(customer, one, id)),
    items: [
      { id: 1, kind: 'FEE', description: 'Cross-connect', remaining: customer.fee, effectiveAt: at(0) },
      { id: 2, kind: 'CREDIT', description: 'Outage', remaining: customer.credit, effectiveAt: at(0) },
    ],
    pauses: customer.pause ? [{ from: at(customer.pause.from), to: at(customer.pause.to) }] : [],
  }
}

const discountOf = (customer: Customer, { percent, scope, from, to }: Given, id: number): Discount => ({
  id,
  description: `Discount ${id}`,
  percent,
  scope,
  from: minuteOf(customer, from),
  to: to === null ? null : minuteOf(customer, to),
})

/** Does the same as `measureSegments`, without a database. */
function usageOf(customer: Customer, traffic: Float64Array, from: Date, to: Date): SegmentUsage {
  const until = minuteOf(customer, customer.until)
  const begun = { from, to: to < until ? to : until }
  const first = Math.ceil((from.getTime() - customer.month.from.getTime()) / SLOT_MS)
  const slots = slotsIn(begun)
  const own = traffic.slice(first, first + slots)
  return {
    bytes: own.toSorted().at(-billedRank(slots)) ?? 0,
    slots,
    above: 0,
    measured: own.some((bytes) => bytes > 0),
  }
}
