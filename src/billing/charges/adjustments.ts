/** Fees and credits. Discounts apply before both: a fee is not discounted, and a credit reduces what is left. */
import { sumOf, type ChargeLine } from './line.ts'

export interface Item {
  readonly id: number
  readonly kind: 'FEE' | 'CREDIT'
  readonly description: string
  /** The part not yet on an invoice, above zero. */
  readonly remaining: number
  readonly effectiveAt: Date
  /** The price list product that it was charged for; null if staff entered it manually. */
  readonly product?: string | null
  readonly reference?: string | null
}

export const feeLines = (items: readonly Item[], until: Date): ChargeLine[] =>
  items.filter((item) => item.kind === 'FEE' && item.effectiveAt < until).map((item) => itemLine(item, item.remaining))

/** Uses up credits in order. They never make an invoice negative: the rest is kept for the next invoice. */
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
  time: { from: item.effectiveAt, to: item.effectiveAt },
  evidence: item.product ? { product: item.product, reference: item.reference ?? null } : {},
  itemId: item.id,
})
