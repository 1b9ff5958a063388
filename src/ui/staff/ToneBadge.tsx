import { StatusBadge, type Tone } from '../components/StatusBadge.tsx'

/** A state, with the label and the tone that its slice defines. */
export const ToneBadge = ({ badge: { tone, label } }: { badge: { readonly tone: Tone; readonly label: string } }) => (
  <StatusBadge tone={tone}>{label}</StatusBadge>
)
