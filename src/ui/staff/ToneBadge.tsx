import { StatusBadge, type Tone } from '../components/StatusBadge.tsx'

/** A state by the words and the tone that its slice gives it. */
export const ToneBadge = ({ badge: { tone, label } }: { badge: { readonly tone: Tone; readonly label: string } }) => (
  <StatusBadge tone={tone}>{label}</StatusBadge>
)
