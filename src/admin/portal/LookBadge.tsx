import { StatusBadge, type Tone } from '../../portal/ui/StatusBadge.tsx'

/** A state by the words and the tone that its slice gives it. */
export const LookBadge = ({ look: { tone, word } }: { look: { readonly tone: Tone; readonly word: string } }) => (
  <StatusBadge tone={tone}>{word}</StatusBadge>
)
