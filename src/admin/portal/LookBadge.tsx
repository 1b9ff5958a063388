import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import type { Look } from './prefix-words.ts'

export const LookBadge = ({ look: { tone, word } }: { look: Look }) => <StatusBadge tone={tone}>{word}</StatusBadge>
