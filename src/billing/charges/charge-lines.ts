/**
 * The billing engine: computes charge lines from a customer's usage. It is pure, and the only one: invoices, the
 * customer's current charges and the revenue pages run the same computation at different times.
 */
import type { AccountId } from '../../kernel/ids.ts'
import type { RouterUsagePeriod } from '../../routers/index.ts'
import type { PriceList } from '../prices/price-list.ts'
import { creditLines, feeLines, type Item } from './adjustments.ts'
import { discountLines, type Discount } from './discounts.ts'
import type { ChargeLine } from './line.ts'
import type { Interval, Period } from './period.ts'
import { routerCharges } from './router-lines.ts'
import { transitCharges, type Invoiced, type SegmentUsage, type RateSegment } from './transit-lines.ts'

export interface CustomerUsage {
  readonly accountId: AccountId
  readonly currency: string
  readonly period: Period
  readonly prices: PriceList
  /** Usage periods that overlap the period, ordered by router and time. */
  readonly usagePeriods: readonly RouterUsagePeriod[]
  readonly transit: readonly (RateSegment & { readonly usage: SegmentUsage; readonly invoiced?: Invoiced })[]
  readonly discounts: readonly Discount[]
  readonly items: readonly Item[]
  /** Times when the account was terminated: nothing is charged in them. */
  readonly pauses: readonly { readonly from: Date; readonly to: Date | null }[]
}

/** Returns the lines of the period up to `until`. Usage that has not ended counts up to `until`. */
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
