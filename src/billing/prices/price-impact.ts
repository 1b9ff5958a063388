/**
 * Previews a price before it is set: the affected customers, and what a month would cost each with and without
 * it.
 */
import type { AccountId } from '../../kernel/ids.ts'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../platform/db/index.ts'
import { offeredPlans } from '../../routers/index.ts'
import { chargeLines, type CustomerUsage } from '../charges/charge-lines.ts'
import { readCustomerUsage } from '../charges/inputs.ts'
import { sumOf } from '../charges/line.ts'
import { monthOf, type Interval } from '../charges/period.ts'
import { readSettings } from '../settings.ts'
import { holdersOf } from './holders.ts'
import { priceAt, readPriceList, type PriceList, type PriceVersion } from './price-list.ts'
import type { NewPrice } from './price-list.ts'

export interface PriceImpact {
  readonly currency: string
  readonly raises: boolean
  /** The earliest time at which it may take effect. */
  readonly earliest: Date
  readonly noticeDays: number
  readonly customers: number
  /** The first whole month with the price. */
  readonly month: Date
  readonly before: number
  readonly after: number
  readonly changed: readonly { readonly accountId: AccountId; readonly before: number; readonly after: number }[]
}

const DAY_MS = 86_400_000
const STRIDE = 500

export async function priceImpactOf(db: Db, price: NewPrice, now: Date): Promise<PriceImpact> {
  const { currency, price_notice_days: noticeDays } = await readSettings(db)
  const list = await readPriceList(db, currency)
  const version = versionOf(price)
  const changed = new Map(list).set(price.product, inOrder([...(list.get(price.product) ?? []), version]))
  const before = await priceBefore(db, list, price)
  const month = firstMonthFrom(price.effectiveFrom)
  const holders = await holdersOf(db, { product: price.product, now })
  const rows = await compare(db, holders, { now, month, currency, list, changed })
  const raises = (before !== null && isHigher(version, before)) || rows.some((row) => row.after > row.before)
  const held = raises && holders.length > 0
  return {
    currency,
    raises,
    earliest: held ? new Date(now.getTime() + noticeDays * DAY_MS) : now,
    noticeDays,
    customers: holders.length,
    month: month.from,
    before: rows.reduce((sum, row) => sum + row.before, 0),
    after: rows.reduce((sum, row) => sum + row.after, 0),
    changed: rows
      .filter((row) => row.after !== row.before)
      .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || a.accountId - b.accountId),
  }
}

interface Comparison {
  readonly now: Date
  readonly month: Interval
  readonly currency: string
  readonly list: PriceList
  readonly changed: PriceList
}

async function compare(db: Db, users: readonly AccountId[], { now, month, currency, list, changed }: Comparison) {
  if (users.length === 0) return []
  const usage = await readCustomerUsage(db, { users, month: monthOf(now), until: now, usage: 'kept', currency })
  const rows: { accountId: AccountId; before: number; after: number }[] = []
  for (const own of usage.values()) {
    if (rows.length % STRIDE === STRIDE - 1) await setImmediate()
    rows.push({
      accountId: own.accountId,
      before: wholeMonth(own, list, month),
      after: wholeMonth(own, changed, month),
    })
  }
  return rows
}

/** Computes a whole month of what the customer has now, with the traffic so far, and without one-off fees. */
function wholeMonth(usage: CustomerUsage, prices: PriceList, month: Interval): number {
  const latest = usage.transit.at(-1)
  const listed = priceAt(prices.get('transit') ?? [], month.from)?.transit
  const terms = latest?.subject.startsWith('contract:') ? latest.terms : listed
  return sumOf(
    chargeLines(
      {
        ...usage,
        period: { ...month, month },
        prices,
        usagePeriods: usage.usagePeriods.filter((usagePeriod) => usagePeriod.endedAt === null),
        transit: latest && terms ? [{ ...latest, ...month, terms }] : [],
        items: [],
        pauses: [],
      },
      month.to,
    ),
  )
}

/** Returns the price in force just before the new one; null if the product has been free so far. */
export async function priceBefore(
  db: Db,
  list: PriceList,
  { product, effectiveFrom }: Pick<NewPrice, 'product' | 'effectiveFrom'>,
): Promise<PriceVersion | null> {
  const earlier = (list.get(product) ?? []).filter((version) => version.from < effectiveFrom)
  const listed = earlier.at(-1)
  if (listed) return listed
  const plan = (await offeredPlans(db)).find((one) => `router:${one.slug}` === product)
  const free: PriceVersion = { id: 0, from: new Date(0), hourly: 0, monthly: 0, oneOff: null, transit: null }
  if (plan) return { ...free, hourly: plan.hourlyPrice, monthly: plan.monthlyPrice }
  return product === 'transit' ? null : free
}

/**
 * Returns true if any amount is higher: a customer who would pay more in one month and less in another is told as
 * well.
 */
export function isHigher(after: PriceVersion, before: PriceVersion): boolean {
  if (after.hourly > before.hourly || after.monthly > before.monthly) return true
  if ((after.oneOff ?? 0) > (before.oneOff ?? 0)) return true
  if (!after.transit || !before.transit) return false
  return (
    after.transit.overagePrice > before.transit.overagePrice ||
    (after.transit.commitBps < before.transit.commitBps && after.transit.overagePrice > 0) ||
    WEIGHT[after.transit.direction] > WEIGHT[before.transit.direction]
  )
}

/**
 * The percentile of the sum is never below that of the larger direction, which is never below that of either
 * direction.
 */
const WEIGHT = { SEPARATE: 0, MAX: 1, SUM: 2 } as const

const versionOf = (price: NewPrice): PriceVersion => ({
  id: 0,
  from: price.effectiveFrom,
  hourly: price.hourlyPrice ?? 0,
  monthly: price.monthlyPrice ?? 0,
  oneOff: price.oneOffPrice ?? null,
  transit: price.transit ? { ...price.transit, commitPrice: price.monthlyPrice ?? 0 } : null,
})

const inOrder = (versions: readonly PriceVersion[]): PriceVersion[] =>
  versions.toSorted((a, b) => a.from.getTime() - b.from.getTime())

function firstMonthFrom(at: Date): Interval {
  const month = monthOf(at)
  return month.from.getTime() === at.getTime() ? month : monthOf(month.to)
}
