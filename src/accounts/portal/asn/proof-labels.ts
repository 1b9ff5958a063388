import { formatAsn } from '../../../kernel/asn.ts'
import type { Tone } from '../../../ui/components/StatusBadge.tsx'
import type { AsnProofs } from '../../contract.ts'

export type Proof = AsnProofs['proofs'][number]

interface ProofLabels {
  readonly title: string
  readonly how: string
}

export const PROOF_LABELS: Readonly<Record<Proof['method'], ProofLabels>> = {
  autnum_token: {
    title: 'Registry remark',
    how: 'Add a line to your aut-num object. Only its holder can do this, so no approval is needed. Takes minutes.',
  },
  registry_contact: {
    title: 'Email to a registry contact',
    how: 'Our staff email a confirmation link to an address the registry lists for your ASN. Takes hours on working days.',
  },
  peeringdb: {
    title: 'Sign in with PeeringDB',
    how: 'PeeringDB confirms that you can edit the network with your ASN. Takes a minute if your account is a member of it.',
  },
  staff: {
    title: 'Manual review',
    how: 'If no other method works for you, email support from your account’s address with evidence that the ASN is yours.',
  },
}

export const STATE_BADGE: Readonly<Record<Proof['state'], { readonly tone: Tone; readonly label: string } | null>> = {
  none: null,
  open: { tone: 'waiting', label: 'Waiting' },
  expired: { tone: 'warn', label: 'Ran out' },
  verified: { tone: 'ok', label: 'Verified' },
  lapsed: { tone: 'warn', label: 'Renewal due' },
}

/** Returns null unless the ASN is on the staff list of ASNs to verify. */
export const staffListWords = ({ asn, waitsForStaff }: Pick<AsnProofs, 'asn' | 'waitsForStaff'>): string | null =>
  asn !== null && waitsForStaff
    ? `${formatAsn(asn)} is in our staff’s queue. You don’t need to do anything else.`
    : null

/** Returns the badge for the state of the ASN's verification. */
export function statusBadge({ asnVerifiedAt, risk, lapsedAt }: AsnProofs): {
  readonly tone: Tone
  readonly children: string
} {
  if (lapsedAt) return { tone: 'bad', children: 'Lapsed' }
  if (!asnVerifiedAt) return { tone: 'warn', children: 'Not verified' }
  return risk ? { tone: 'warn', children: 'Verify again' } : { tone: 'ok', children: 'Verified' }
}
