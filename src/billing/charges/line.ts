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

export const sumOf = (lines: readonly { readonly amount: number }[]): number =>
  lines.reduce((sum, line) => sum + line.amount, 0)
