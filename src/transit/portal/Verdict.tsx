import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import type { CheckStatus } from '../states.ts'
import { CHECK_LOOK } from './prefix-words.ts'

/** What one source says of a prefix, in a word and a sentence. */
export function Verdict({ source, status, why }: { source: string; status: CheckStatus; why: string }) {
  const { tone, word } = CHECK_LOOK[status]
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="w-10 font-medium">{source}</span>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <span className="text-dim">{why}</span>
    </p>
  )
}
