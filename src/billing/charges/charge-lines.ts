/**
 * The engine: from what a customer had to the lines it is charged. Pure, and the only one: invoices, the customer's
 * running total and the staff's revenue are the same computation at different moments.
 */
import type { RouterUsagePeriod } from '../../routers/index.ts'
import type { PriceList } from '../prices/price-list.ts'
import { creditLines, feeLines, type Item } from './adjustments.ts'
import { discountLines, type Discount } from './discounts.ts'
import type { ChargeLine } from './line.ts'
import type { Interval, Period } from './period.ts'
import { routerCharges } from './router-lines.ts'
import { transitCharges, type SegmentUsage, type RateSegment } from './transit-lines.ts'

export interface CustomerUsage {
  readonly userId: number
  readonly currency: string
  readonly period: Period
  readonly prices: PriceList
  /** Those that touch the period, in order of router and time. */
  readonly usagePeriods: readonly RouterUsagePeriod[]
  readonly transit: readonly (RateSegment & { readonly usage: SegmentUsage })[]
  readonly discounts: readonly Discount[]
  readonly items: readonly Item[]
  /** When the account had ended: nothing is charged in them. */
  readonly pauses: readonly { readonly from: Date; readonly to: Date | null }[]
}

/** Of the period up to `until`. What is still held then counts up to it. */
export function chargeLines(customerUsage: CustomerUsage, until: Date): ChargeLine[] {
  const { period, pauses } = customerUsage
  const window: Interval = { from: period.from, to: until < period.to ? until : period.to }
  if (window.to <= window.from) return []
  const running = [
    ...routerCharges(customerUsage, window),
    ...transitCharges(customerUsage.transit, pauses, window, period.month),
  ]
  const discounted = [
    ...running.flatMap(({ lines }) => lines),
    ...discountLines(running, customerUsage.discounts, window),
  ]
  const charged = [...discounted, ...feeLines(customerUsage.items, window.to)]
  return [...charged, ...creditLines(charged, customerUsage.items, window.to)]
}
