import { StatusBadge } from '../../ui/components/StatusBadge.tsx'
import type { CheckStatus } from '../states.ts'
import { CHECK_BADGE } from './prefix-labels.ts'

/** The result of one source for a prefix, as a badge and a sentence. */
export function CheckSummary({ source, status, why }: { source: string; status: CheckStatus; why: string }) {
  const { tone, label } = CHECK_BADGE[status]
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="w-10 font-medium">{source}</span>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <span className="text-dim">{why}</span>
    </p>
  )
}
