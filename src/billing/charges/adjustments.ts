/** Fees, discounts and credits, in that order: a discount lessens what runs, a credit lessens what is left to pay. */
import type { DiscountScope, LineKind } from '../states.ts'
import { sumOf, type ChargeLine } from './line.ts'
import { divideRounded, lengthOf, overlap, type Interval } from './period.ts'

export interface Discount {
  readonly id: number
  readonly description: string
  /** Hundredths of a percent. */
  readonly percent: number
  readonly scope: DiscountScope
  readonly from: Date
  readonly to: Date | null
}

export interface Item {
  readonly id: number
  readonly kind: 'FEE' | 'CREDIT'
  readonly description: string
  /** What no invoice has taken yet, above zero. */
  readonly remaining: number
  readonly effectiveAt: Date
  /** Of the price list, and what it was charged for; null when staff wrote it by hand. */
  readonly product?: string | null
  readonly occurrence?: string | null
}

const IN_SCOPE: Readonly<Record<DiscountScope, readonly LineKind[]>> = {
  ALL: ['ROUTER', 'CAP', 'ADDRESS', 'COMMIT', 'OVERAGE'],
  ROUTERS: ['ROUTER', 'CAP', 'ADDRESS'],
  TRANSIT: ['COMMIT', 'OVERAGE'],
}

/** A discount that held for a part of the period lessens that part of it. Discounts follow each other, so never below nothing. */
export function discountLines(
  lines: readonly ChargeLine[],
  discounts: readonly Discount[],
  window: Interval,
): ChargeLine[] {
  const given: ChargeLine[] = []
  const left = new Map<LineKind, number>()
  for (const line of lines) left.set(line.kind, (left.get(line.kind) ?? 0) + line.amount)
  for (const discount of discounts) {
    const held = overlap(window, discount)
    if (!held) continue
    const base = IN_SCOPE[discount.scope].reduce((sum, kind) => sum + (left.get(kind) ?? 0), 0)
    const amount = divideRounded(
      BigInt(base) * BigInt(discount.percent) * BigInt(lengthOf(held)),
      10_000n * BigInt(lengthOf(window)),
    )
    if (amount <= 0) continue
    takeFrom(left, IN_SCOPE[discount.scope], amount)
    given.push({
      kind: 'DISCOUNT',
      subject: `discount:${discount.id}`,
      description: `${discount.description}, ${discount.percent / 100} %`,
      quantity: 1,
      unit: '',
      unitPrice: -amount,
      amount: -amount,
      evidence: { base, percent: discount.percent, held: lengthOf(held), window: lengthOf(window) },
    })
  }
  return given
}

/** From the kinds in turn: which of them bears it matters only to the discounts that follow. */
function takeFrom(left: Map<LineKind, number>, kinds: readonly LineKind[], amount: number): void {
  let open = amount
  for (const kind of kinds) {
    const share = Math.min(open, Math.max(0, left.get(kind) ?? 0))
    left.set(kind, (left.get(kind) ?? 0) - share)
    open -= share
  }
}

export const feeLines = (items: readonly Item[], until: Date): ChargeLine[] =>
  items.filter((item) => item.kind === 'FEE' && item.effectiveAt < until).map((item) => itemLine(item, item.remaining))

/** Credits are used up in their order, and never make an invoice negative: what is left waits for the next. */
export function creditLines(lines: readonly ChargeLine[], items: readonly Item[], until: Date): ChargeLine[] {
  let open = sumOf(lines)
  const used: ChargeLine[] = []
  for (const item of items) {
    const amount = Math.min(open, item.remaining)
    if (item.kind !== 'CREDIT' || item.effectiveAt >= until || amount <= 0) continue
    open -= amount
    used.push(itemLine(item, -amount))
  }
  return used
}

const itemLine = (item: Item, amount: number): ChargeLine => ({
  kind: item.kind,
  subject: `item:${item.id}`,
  description: item.description,
  quantity: 1,
  unit: '',
  unitPrice: amount,
  amount,
  evidence: item.product ? { product: item.product, occurrence: item.occurrence ?? null } : {},
  itemId: item.id,
})
