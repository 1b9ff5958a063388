import type { LedgerAccount } from '../tables.ts'
import type { LineKind } from '../states.ts'
import type { Interval } from './period.ts'

/** One line of an invoice, or of what an invoice would be now. `amount` is the only rounded figure in it. */
export interface ChargeLine {
  readonly kind: LineKind
  /** What it is about: `router:12`, `contract:3`, `item:7`. */
  readonly subject: string
  readonly description: string
  readonly quantity: number
  readonly unit: string
  /** Minor units for one of `unit`. */
  readonly unitPrice: number
  /** Minor units; below zero for a reduction. */
  readonly amount: number
  /** The time that it is for, from its first moment to its last; a fee or credit has one moment. Null of what had none when it was written. */
  readonly time: Interval | null
  /** What the amount can be computed from again. */
  readonly evidence: Readonly<Record<string, unknown>>
  readonly itemId?: number
}

/** What one router, address family or version of the transit terms costs. A cap is one of its lines. */
export interface Charge {
  readonly kind: 'ROUTER' | 'ADDRESS' | 'COMMIT' | 'OVERAGE'
  readonly lines: readonly ChargeLine[]
  /** The time that it is for; `weight` is what a millisecond costs compared with the others of the charge. */
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

/** From the first moment to the last, gaps in between or not. Intervals in any order, at least one. */
export const spanOf = (intervals: readonly Interval[]): Interval => ({
  from: new Date(Math.min(...intervals.map(({ from }) => from.getTime()))),
  to: new Date(Math.max(...intervals.map(({ to }) => to.getTime()))),
})

/** A corner of the line of a month: up to now it is accrued, from now on it is projected; both meet in now. */
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
