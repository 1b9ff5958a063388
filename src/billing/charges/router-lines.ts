/**
 * Charges for routers and their addresses. A router is charged while it exists, running or not, because nobody else
 * can buy what it occupies. For each router and product in a period, its time is split where the price changed. Time
 * at the same price is added up and counted in started hours. The sum is capped at the highest monthly price among
 * them. So stopping, starting or changing plans never charges an hour twice. For discounts, the capped sum is spread
 * over that time in proportion to the hourly price.
 */
import type { RouterUsagePeriod } from '../../routers/index.ts'
import { priceAt, type PriceList } from '../prices/price-list.ts'
import { spanOf, type Charge, type ChargeLine } from './line.ts'
import { cutAt, HOUR_MS, lengthOf, overlap, without, type Interval } from './period.ts'

interface Rate {
  readonly name: string
  readonly hourly: number
  readonly monthly: number
}

interface RateSegment extends Rate {
  readonly interval: Interval
}

export interface RouterUsage {
  readonly usagePeriods: readonly RouterUsagePeriod[]
  readonly prices: PriceList
  readonly pauses: readonly { from: Date; to: Date | null }[]
}

/** Returns the charges for all routers of one customer, ordered by router id. */
export function routerCharges({ usagePeriods, prices, pauses }: RouterUsage, window: Interval): Charge[] {
  const charges: Charge[] = []
  for (const [routerId, own] of Map.groupBy(usagePeriods, (usagePeriod) => usagePeriod.routerId)) {
    const name = own.at(-1)!.routerName
    const periods = own.flatMap((usagePeriod) => {
      const part = overlap(window, { from: usagePeriod.startedAt, to: usagePeriod.endedAt })
      return part ? without(part, pauses).map((interval) => ({ usagePeriod, interval })) : []
    })
    const plan = periods.flatMap(({ usagePeriod, interval }) =>
      segments(interval, prices, `router:${usagePeriod.planSlug}`, {
        name: usagePeriod.planName,
        hourly: usagePeriod.hourlyPrice,
        monthly: usagePeriod.monthlyPrice,
      }),
    )
    charges.push(...meteredCharge('ROUTER', `router:${routerId}`, (rate) => `Router ${name}, ${rate.name}`, plan))
    for (const family of [4, 6] as const) {
      const leased = periods.flatMap(({ interval }) => segments(interval, prices, `address:ipv${family}`, null))
      const describe = () => `IPv${family} address of ${name}`
      charges.push(...meteredCharge('ADDRESS', `router:${routerId}:ipv${family}`, describe, leased))
    }
  }
  return charges
}

/**
 * Returns the rate segments: the price list version in force, or else the price agreed when the usage period began.
 * Without either it is free.
 */
function segments(interval: Interval, prices: PriceList, product: string, agreed: Rate | null): RateSegment[] {
  const versions = prices.get(product)
  if (!versions) return agreed ? [{ ...agreed, interval }] : []
  return cutAt(
    interval,
    versions.map((version) => version.from),
  ).flatMap((part) => {
    const version = priceAt(versions, part.from)
    const rate = version ? { name: agreed?.name ?? '', hourly: version.hourly, monthly: version.monthly } : agreed
    return rate ? [{ ...rate, interval: part }] : []
  })
}

/** Returns at most one charge, and none if the cost is zero. */
function meteredCharge(
  kind: 'ROUTER' | 'ADDRESS',
  subject: string,
  describe: (rate: Rate) => string,
  segments: readonly RateSegment[],
): Charge[] {
  const lines = meteredLines(kind, subject, describe, segments)
  const time = segments.map(({ interval, hourly }) => ({ ...interval, weight: hourly }))
  return lines.length === 0 ? [] : [{ kind, lines, time }]
}

function meteredLines(
  kind: 'ROUTER' | 'ADDRESS',
  subject: string,
  describe: (rate: Rate) => string,
  time: readonly RateSegment[],
): ChargeLine[] {
  const rates = [...Map.groupBy(time, (one) => `${one.name} ${one.hourly} ${one.monthly}`).values()].map((same) => ({
    ...same[0]!,
    milliseconds: same.reduce((sum, { interval }) => sum + lengthOf(interval), 0),
    time: spanOf(same.map(({ interval }) => interval)),
  }))
  const lines = rates.map((rate): ChargeLine => {
    const hours = Math.ceil(rate.milliseconds / HOUR_MS)
    return {
      kind,
      subject,
      description: describe(rate),
      quantity: hours,
      unit: 'h',
      unitPrice: rate.hourly,
      amount: hours * rate.hourly,
      time: rate.time,
      evidence: { milliseconds: rate.milliseconds, hourly: rate.hourly, monthly: rate.monthly },
    }
  })
  const sum = lines.reduce((total, line) => total + line.amount, 0)
  const cap = Math.max(0, ...rates.map((rate) => rate.monthly))
  if (sum <= cap) return lines.filter((line) => line.amount > 0)
  const [only] = lines
  if (lines.length === 1) return cap > 0 ? [{ ...only!, quantity: 1, unit: 'month', unitPrice: cap, amount: cap }] : []
  return [
    ...lines,
    {
      kind: 'CAP',
      subject,
      description: `${only!.description.replace(/, .*$/, '')}: no month costs more than the highest monthly price`,
      quantity: 1,
      unit: '',
      unitPrice: cap - sum,
      amount: cap - sum,
      time: spanOf(rates.map((rate) => rate.time)),
      evidence: { sum, cap },
    },
  ]
}
