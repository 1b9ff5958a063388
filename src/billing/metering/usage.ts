/** Measures the traffic of each rate segment: fresh for an invoice, cached for a dashboard. */
import type { AccountId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/db/index.ts'
import { busiestSlots } from '../../routers/index.ts'
import { slotsIn } from '../charges/period.ts'
import { NO_USAGE, type SegmentUsage, type RateSegment } from '../charges/transit-lines.ts'
import { billedRank } from './percentile.ts'

export interface UserRateSegment extends RateSegment {
  readonly accountId: AccountId
}

/** Returns the usage of each segment up to `until`, in the given order. Slots without a measurement count as zero. */
export async function measureSegments(
  db: Db,
  segments: readonly UserRateSegment[],
  until: Date,
): Promise<SegmentUsage[]> {
  const begun = segments.map((segment) => ({ ...segment, to: segment.to < until ? segment.to : until }))
  const questions = begun.map((segment) => ({
    accountId: segment.accountId,
    from: segment.from,
    to: segment.to,
    rank: billedRank(slotsIn(segment)),
    direction: segment.terms.direction,
    threshold: commitBytes(segment.terms.commitBps),
  }))
  const answers = await busiestSlots(db, questions)
  return begun.map((segment, index) => {
    const answer = answers[index]!
    return { bytes: answer.bytes, slots: slotsIn(segment), above: answer.above, measured: answer.measured > 0 }
  })
}

/** Returns the most bytes that a slot may carry at a rate; one more byte is above it. */
export const commitBytes = (bps: number): number => Math.floor((bps * 300) / 8)

type CachedUsage = Record<string, SegmentUsage>

const keyOf = (segment: RateSegment): string => `${segment.subject} ${segment.from.toISOString()}`

/** Returns the last measurement, and zero for what was never measured. */
export async function cachedUsage(
  db: Db,
  segments: readonly UserRateSegment[],
  periodStart: Date,
): Promise<SegmentUsage[]> {
  const users = [...new Set(segments.map((segment) => segment.accountId))]
  if (users.length === 0) return []
  const rows = await db
    .selectFrom('transit_usage')
    .select(['account_id', 'segments'])
    .where('period_start', '=', periodStart)
    .where('account_id', 'in', users)
    .execute()
  const cached = new Map(rows.map((row) => [row.account_id, row.segments as CachedUsage]))
  return segments.map((segment) => cached.get(segment.accountId)?.[keyOf(segment)] ?? NO_USAGE)
}

export async function cacheUsage(
  db: Db,
  accountId: AccountId,
  periodStart: Date,
  segments: readonly (RateSegment & { readonly usage: SegmentUsage })[],
  at: Date,
): Promise<void> {
  const values = {
    segments: JSON.stringify(Object.fromEntries(segments.map((segment) => [keyOf(segment), segment.usage]))),
    measured_at: at,
  }
  await db
    .insertInto('transit_usage')
    .values({ account_id: accountId, period_start: periodStart, ...values })
    .onConflict((clash) => clash.columns(['account_id', 'period_start']).doUpdateSet(values))
    .execute()
}
