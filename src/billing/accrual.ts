/**
 * What a router costs in a month: every hour that was begun, up to the month's cap. A month is a calendar month of UTC.
 * Pure: the same spans always cost the same, so a charge can be recomputed from its evidence.
 */
import type { RouterSpan } from '../routers/index.ts'

const HOUR_MS = 3_600_000

export interface BillingMonth {
  readonly from: Date
  /** The first moment of the next month. */
  readonly to: Date
}

export function billingMonth(at: Date): BillingMonth {
  return {
    from: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
    to: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)),
  }
}

/**
 * Minor units for the part of a span between `month.from` and `until`. A span that is still open counts up to `until`.
 * An hour begun is charged whole, once: rounding happens here and nowhere else.
 */
export function spanCharge(span: RouterSpan, month: BillingMonth, until: Date): number {
  const from = Math.max(span.startedAt.getTime(), month.from.getTime())
  const to = Math.min(span.endedAt?.getTime() ?? Number.POSITIVE_INFINITY, month.to.getTime(), until.getTime())
  if (to <= from) return 0
  return Math.min(Math.ceil((to - from) / HOUR_MS) * span.hourlyPrice, span.monthlyPrice)
}

/** All spans of one router in one month never cost more than its dearest plan's cap: stopping and starting is no way to pay twice. */
export function monthCharge(spans: readonly RouterSpan[], month: BillingMonth, until: Date): number {
  let total = 0
  for (const ofRouter of Map.groupBy(spans, (span) => span.routerId).values()) {
    const sum = ofRouter.reduce((amount, span) => amount + spanCharge(span, month, until), 0)
    total += Math.min(sum, Math.max(...ofRouter.map((span) => span.monthlyPrice)))
  }
  return total
}
