/** Revenue for staff: sums, sums by kind, and the lines behind them, by customer. */
import { LINE_KINDS, type LineKind } from '../states.ts'
import { sumOf } from '../charges/line.ts'
import type { RevenueLines } from '../revenue/revenue.ts'

export function revenuePage(
  { month, currency }: { month: string; currency: string },
  { accrued, projected }: RevenueLines,
  { kind, after, limit }: { kind?: LineKind | undefined; after: number; limit: number },
) {
  const wanted = accrued.filter((line) => line.accountId > after && (!kind || line.kind === kind))
  const users = [...new Set(wanted.map((line) => line.accountId))].slice(0, limit)
  const last = users.at(-1)
  const shown = wanted.filter((line) => last !== undefined && line.accountId <= last)
  const sums = (of: LineKind) => ({
    kind: of,
    accrued: sumOf(accrued.filter((line) => line.kind === of)),
    projected: sumOf(projected.filter((line) => line.kind === of)),
  })
  return {
    month,
    currency,
    accrued: sumOf(accrued),
    projected: sumOf(projected),
    kinds: LINE_KINDS.map(sums).filter((one) => one.accrued !== 0 || one.projected !== 0),
    lines: [...shown],
    next: shown.length < wanted.length ? last! : null,
  }
}
