/** Measures the traffic of each piece of terms: fresh for an invoice, kept for a dashboard. */
import type { Db } from '../../platform/db/index.ts'
import { busiestSlots } from '../../routers/index.ts'
import { slotsIn } from '../charges/period.ts'
import { NO_USAGE, type PieceUsage, type TermsPiece } from '../charges/transit-lines.ts'
import { billedRank } from './percentile.ts'

export interface UsersPiece extends TermsPiece {
  readonly userId: number
}

/** What each piece has used up to `until`, in the order of the pieces. Slots that nobody measured count as nothing. */
export async function measurePieces(db: Db, pieces: readonly UsersPiece[], until: Date): Promise<PieceUsage[]> {
  const begun = pieces.map((piece) => ({ ...piece, to: piece.to < until ? piece.to : until }))
  const questions = begun.map((piece) => ({
    userId: piece.userId,
    from: piece.from,
    to: piece.to,
    rank: billedRank(slotsIn(piece)),
    direction: piece.terms.direction,
    threshold: commitBytes(piece.terms.commitBps),
  }))
  const answers = await busiestSlots(db, questions)
  return begun.map((piece, index) => {
    const answer = answers[index]!
    return { bytes: answer.bytes, slots: slotsIn(piece), above: answer.above, measured: answer.measured > 0 }
  })
}

/** The most bytes that a slot may carry at a rate: one more is above it. */
export const commitBytes = (bps: number): number => Math.floor((bps * 300) / 8)

type Kept = Record<string, PieceUsage>

const keyOf = (piece: TermsPiece): string => `${piece.subject} ${piece.from.toISOString()}`

/** As last measured; nothing for what was not measured yet. */
export async function keptUsage(db: Db, pieces: readonly UsersPiece[], periodStart: Date): Promise<PieceUsage[]> {
  const users = [...new Set(pieces.map((piece) => piece.userId))]
  if (users.length === 0) return []
  const rows = await db
    .selectFrom('transit_usage')
    .select(['user_id', 'pieces'])
    .where('period_start', '=', periodStart)
    .where('user_id', 'in', users)
    .execute()
  const kept = new Map(rows.map((row) => [row.user_id, row.pieces as Kept]))
  return pieces.map((piece) => kept.get(piece.userId)?.[keyOf(piece)] ?? NO_USAGE)
}

export async function keepUsage(
  db: Db,
  userId: number,
  periodStart: Date,
  pieces: readonly (TermsPiece & { readonly usage: PieceUsage })[],
  at: Date,
): Promise<void> {
  const values = {
    pieces: JSON.stringify(Object.fromEntries(pieces.map((piece) => [keyOf(piece), piece.usage]))),
    measured_at: at,
  }
  await db
    .insertInto('transit_usage')
    .values({ user_id: userId, period_start: periodStart, ...values })
    .onConflict((clash) => clash.columns(['user_id', 'period_start']).doUpdateSet(values))
    .execute()
}
