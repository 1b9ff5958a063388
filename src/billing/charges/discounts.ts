/**
 * Discounts, by the rule in docs/decisions/0026-discounts.md. A charge is computed without discounts, capped, and
 * then spread over its time. Each discount takes its percentage of the part of that time in which it applied.
 */
import type { DiscountScope } from '../states.ts'
import { sumOf, type Charge, type ChargeLine } from './line.ts'
import { cutAt, divideRounded, lengthOf, overlap, type Interval } from './period.ts'

export interface Discount {
  readonly id: number
  readonly description: string
  /** Hundredths of a percent. */
  readonly percent: number
  readonly scope: DiscountScope
  readonly from: Date
  readonly to: Date | null
}

/** 100 percent, in hundredths of a percent. */
const WHOLE = 10_000

const IN_SCOPE: Readonly<Record<DiscountScope, readonly Charge['kind'][]>> = {
  ALL: ['ROUTER', 'ADDRESS', 'COMMIT', 'OVERAGE'],
  ROUTERS: ['ROUTER', 'ADDRESS'],
  TRANSIT: ['COMMIT', 'OVERAGE'],
}

const SCOPE_TEXT: Readonly<Record<DiscountScope, string>> = {
  ALL: '',
  ROUTERS: ' off routers and addresses',
  TRANSIT: ' off IP transit',
}

/** Returns one line for each discount that reduces something, in the order in which they apply. */
export function discountLines(
  charges: readonly Charge[],
  discounts: readonly Discount[],
  window: Interval,
): ChargeLine[] {
  const applied = discounts
    .filter((discount) => overlap(window, discount))
    .toSorted(byOrder)
    .map((discount) => ({ discount, taken: new Map<Charge['kind'], number>() }))
  for (const charge of charges) {
    const concerned = applied.filter(({ discount }) => IN_SCOPE[discount.scope].includes(charge.kind))
    const amounts = reductions(
      charge,
      concerned.map(({ discount }) => discount),
    )
    for (const [index, { taken }] of concerned.entries()) {
      taken.set(charge.kind, (taken.get(charge.kind) ?? 0) + amounts[index]!)
    }
  }
  return applied.flatMap(({ discount, taken }) => {
    const amount = [...taken.values()].reduce((sum, one) => sum + one, 0)
    return amount === 0 ? [] : [discountLine(discount, amount, taken, window)]
  })
}

/** Sorts the largest percentage first, and never by id: the order in which discounts were created must not matter. */
function byOrder(a: Discount, b: Discount): number {
  const endOf = ({ to }: Discount) => to?.getTime() ?? Infinity
  if (a.percent !== b.percent) return b.percent - a.percent
  if (a.from.getTime() !== b.from.getTime()) return a.from.getTime() - b.from.getTime()
  if (endOf(a) !== endOf(b)) return endOf(a) - endOf(b)
  const text = ({ scope, description }: Discount) => `${scope} ${description}`
  return text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0
}

/**
 * Returns the reduction of one charge by each discount. It rounds the running sums, not each amount. So all discounts
 * together never take more than the charge, and their order does not change the total.
 */
function reductions({ lines, time }: Charge, discounts: readonly Discount[]): number[] {
  if (discounts.length === 0) return []
  const amount = BigInt(sumOf(lines))
  const edges = discounts.flatMap(({ from, to }) => (to ? [from, to] : [from]))
  const parts = time.flatMap(({ weight, ...interval }) =>
    cutAt(interval, edges).map((part) => ({ at: part.from, left: BigInt(weight) * BigInt(lengthOf(part)) })),
  )
  const sumLeft = () => parts.reduce((sum, { left }) => sum + left, 0n)
  let whole = sumLeft()
  let before = 0
  return discounts.map(({ percent, from, to }) => {
    // Parts are scaled up for each discount instead of divided, so that remainders stay integers.
    for (const part of parts) {
      const holds = from <= part.at && (to === null || part.at < to)
      part.left *= BigInt(holds ? WHOLE - percent : WHOLE)
    }
    whole *= BigInt(WHOLE)
    const taken = divideRounded(amount * (whole - sumLeft()), whole)
    const own = taken - before
    before = taken
    return own
  })
}

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function discountLine(
  { id, description, percent, scope, from, to }: Discount,
  amount: number,
  taken: ReadonlyMap<Charge['kind'], number>,
  window: Interval,
): ChargeLine {
  const since = from > window.from ? ` from ${MOMENT.format(from)}` : ''
  const until = to && to < window.to ? ` until ${MOMENT.format(to)}` : ''
  const time = since || until ? `,${since}${until} UTC` : ''
  return {
    kind: 'DISCOUNT',
    subject: `discount:${id}`,
    description: `${description}, ${percent / 100} %${SCOPE_TEXT[scope]}${time}`,
    quantity: 1,
    unit: '',
    unitPrice: -amount,
    amount: -amount,
    time: overlap(window, { from, to }),
    evidence: {
      percent,
      scope,
      from: from.toISOString(),
      to: to?.toISOString() ?? null,
      taken: Object.fromEntries(taken),
    },
  }
}
