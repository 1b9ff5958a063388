import type { LedgerAccount } from '../tables.ts'
import type { LineKind } from '../states.ts'
import type { Interval } from './period.ts'

/** One line of an invoice, or of what an invoice would contain now. `amount` is the only rounded number in it. */
export interface ChargeLine {
  readonly kind: LineKind
  /** What the line is about: `router:12`, `contract:3`, `item:7`. */
  readonly subject: string
  readonly description: string
  readonly quantity: number
  readonly unit: string
  /** Minor units per `unit`. */
  readonly unitPrice: number
  /** Minor units; negative for a reduction. */
  readonly amount: number
  /**
   * The time that the line covers. A fee or credit has a single moment. Null on lines written before lines had times.
   */
  readonly time: Interval | null
  /** The data from which the amount can be recomputed. */
  readonly evidence: Readonly<Record<string, unknown>>
  readonly itemId?: number
}

/** The cost of one router, address family or version of the transit terms. A cap is one of its lines. */
export interface Charge {
  readonly kind: 'ROUTER' | 'ADDRESS' | 'COMMIT' | 'OVERAGE'
  readonly lines: readonly ChargeLine[]
  /** The time that it covers. `weight` is the relative cost of a millisecond within the charge. */
  readonly time: readonly (Interval & { readonly weight: number })[]
}

export const REVENUE_OF: Readonly<Record<LineKind, LedgerAccount>> = {
  ROUTER: 'revenue:routers',
  CAP: 'revenue:routers',
  ADDRESS: 'revenue:addresses',
  COMMIT: 'revenue:transit',
  OVERAGE: 'revenue:transit',
  FEE: 'revenue:fees',
  DISCOUNT: 'revenue:reductions',
  CREDIT: 'revenue:reductions',
}

/**
 * Returns the interval from the first moment to the last, including gaps. Takes at least one interval, in any order.
 */
export const spanOf = (intervals: readonly Interval[]): Interval => ({
  from: new Date(Math.min(...intervals.map(({ from }) => from.getTime()))),
  to: new Date(Math.max(...intervals.map(({ to }) => to.getTime()))),
})

/**
 * A point of the month's chart. Past points are accrued and future points are projected; both meet at the current
 * time.
 */
export interface DaySum {
  readonly at: Date
  readonly accrued: number | null
  readonly projected: number | null
}
export const daySum = (at: Date, now: Date, sum: number): DaySum => ({
  at,
  accrued: at <= now ? sum : null,
  projected: at >= now ? sum : null,
})

export const sumOf = (lines: readonly { readonly amount: number }[]): number =>
  lines.reduce((sum, line) => sum + line.amount, 0)
