/**
 * Charges for IP transit: the commit for the time that it applied, and the 95th percentile above it. Each version of
 * the terms is a segment with a percentile over its own slots, charged for the part of the month that it covers.
 */
import type { PriceList, TransitTerms } from '../prices/price-list.ts'
import { priceAt } from '../prices/price-list.ts'
import { spanOf, type Charge, type ChargeLine } from './line.ts'
import { cutAt, divideRounded, lengthOf, overlap, without, type Interval, type Period } from './period.ts'

export interface Contract extends TransitTerms {
  readonly id: number
  readonly from: Date
  /** False: from here on the price list applies again. */
  readonly agreed: boolean
}

export interface RateSegment extends Interval {
  /** `contract:3`, or `list:5` for the price list. */
  readonly subject: string
  readonly terms: TransitTerms
}

/** The measured usage of a segment so far. */
export interface SegmentUsage {
  /** Bytes of the slot at the percentile, in the billed direction. */
  readonly bytes: number
  /** Slots of the segment so far, measured or not, and how many of them are above the commit. */
  readonly slots: number
  readonly above: number
  /** True if any slot was measured. */
  readonly measured: boolean
}

/** What final invoices of the same month charged for a segment that continued after all. */
export interface Invoiced {
  readonly commit: number
  readonly overage: number
}

export const NO_USAGE: SegmentUsage = { bytes: 0, slots: 0, above: 0, measured: false }

/** Returns one segment for each change of the terms in an interval. Contracts must be ordered by time. */
export function termsIn(interval: Interval, contracts: readonly Contract[], prices: PriceList): RateSegment[] {
  const listed = prices.get('transit') ?? []
  const segments: RateSegment[] = []
  for (const part of cutAt(
    interval,
    [...contracts, ...listed].map((one) => one.from),
  )) {
    const contract = contracts.findLast((one) => one.from <= part.from)
    const version = priceAt(listed, part.from)
    const found = contract?.agreed
      ? { subject: `contract:${contract.id}`, terms: contract }
      : version?.transit && { subject: `list:${version.id}`, terms: version.transit }
    if (!found) continue
    const before = segments.at(-1)
    // A change that does not affect this customer must not split one percentile into two.
    if (before?.subject === found.subject && before.to.getTime() === part.from.getTime()) {
      segments[segments.length - 1] = { ...before, to: part.to }
    } else segments.push({ ...part, ...found })
  }
  return segments
}

export function transitCharges(
  segments: readonly (RateSegment & { readonly usage: SegmentUsage; readonly invoiced?: Invoiced })[],
  pauses: readonly { from: Date; to: Date | null }[],
  window: Interval,
  month: Period['month'],
): Charge[] {
  return segments.flatMap((segment) => {
    const within = overlap(segment, window)
    // The price list binds only customers who use transit; a contract also those who do not.
    if (!within || (segment.subject.startsWith('list:') && !segment.usage.measured)) return []
    const time = without(within, pauses).map((part) => ({ ...part, weight: 1 }))
    const charged = without({ from: segment.from, to: within.to }, pauses)
    const { commit, overage } = segment.invoiced ?? { commit: 0, overage: 0 }
    return [
      { kind: 'COMMIT' as const, lines: less(commit, commitLine(segment, charged, lengthOf(month))), time },
      { kind: 'OVERAGE' as const, lines: less(overage, overageLine(segment, charged, lengthOf(month))), time },
    ].filter(({ lines }) => lines.length > 0)
  })
}

/** Never less than nothing: what a final invoice charged is not paid back. */
function less(invoiced: number, line: ChargeLine | null): ChargeLine[] {
  if (line === null || line.amount <= invoiced) return []
  if (invoiced === 0) return [line]
  const description = 'IP transit, charged by the final invoice of this month'
  return [line, { ...line, description, quantity: 1, unit: '', unitPrice: -invoiced, amount: -invoiced, evidence: {} }]
}

const coveredBy = (time: readonly Interval[]): number => time.reduce((sum, part) => sum + lengthOf(part), 0)

function commitLine(
  { subject, terms, from }: RateSegment,
  time: readonly Interval[],
  month: number,
): ChargeLine | null {
  const covered = coveredBy(time)
  const amount = divideRounded(BigInt(terms.commitPrice) * BigInt(covered), BigInt(month))
  if (amount === 0) return null
  return {
    kind: 'COMMIT',
    subject,
    description: `IP transit, ${megabits(terms.commitBps)} Mbit/s committed`,
    quantity: sixPlaces(covered / month),
    unit: 'month',
    unitPrice: terms.commitPrice,
    amount,
    time: spanOf(time),
    evidence: { from: from.toISOString(), covered, month, commitPrice: terms.commitPrice },
  }
}

/** Slots are five minutes: B bytes are 8 B / 300 bit/s. All integers until the single rounding at the end. */
function overageLine(
  { subject, terms, from, usage }: RateSegment & { usage: SegmentUsage },
  time: readonly Interval[],
  month: number,
): ChargeLine | null {
  const covered = coveredBy(time)
  const over = 8n * BigInt(usage.bytes) - 300n * BigInt(terms.commitBps)
  if (over <= 0n) return null
  const amount = divideRounded(over * BigInt(terms.overagePrice) * BigInt(covered), 300_000_000n * BigInt(month))
  if (amount === 0) return null
  return {
    kind: 'OVERAGE',
    subject,
    description: `IP transit above ${megabits(terms.commitBps)} Mbit/s, 95th percentile of ${megabits(
      (usage.bytes * 8) / 300,
    )} Mbit/s${proration(covered, month)}`,
    quantity: sixPlaces((Number(over) / 300_000_000) * (covered / month)),
    unit: 'Mbit/s',
    unitPrice: terms.overagePrice,
    amount,
    time: spanOf(time),
    evidence: { from: from.toISOString(), covered, month, ...terms, ...usage },
  }
}

/** Describes the charged part of the month, which a quantity in Mbit/s alone does not show. */
const proration = (covered: number, month: number): string =>
  covered === month ? '' : `, prorated to ${days(covered)} of ${days(month)} days`

/** Rounded down, so that a part of a month never reads as the whole. */
const days = (ms: number): number => Math.floor(ms / 864_000) / 100

const sixPlaces = (value: number): number => Math.round(value * 1e6) / 1e6

const megabits = (bps: number): string => String(Math.round(bps / 1e4) / 100)
