import type { Tone } from '../../../portal/ui/StatusBadge.tsx'
import type { AsnProofs } from '../../contract.ts'

export type Proof = AsnProofs['proofs'][number]

interface Words {
  readonly title: string
  readonly how: string
}

export const PROOF_WORDS: Readonly<Record<Proof['method'], Words>> = {
  autnum_token: {
    title: 'A remark in the registry',
    how: 'Put a line of ours into your aut-num object. Only its holder can, so nobody has to be asked. Takes minutes.',
  },
  registry_contact: {
    title: 'A mail to a registry contact',
    how: 'Staff send a link to a mailbox that the registry lists for your ASN; whoever reads it confirms. Takes hours, on working days.',
  },
  peeringdb: {
    title: 'Sign in with PeeringDB',
    how: 'PeeringDB tells us that you may edit the network with your ASN. Takes a minute if your PeeringDB account belongs to it.',
  },
  staff: {
    title: 'By hand',
    how: 'None of the others works for you? Write to support from the address of your account, with what shows that the ASN is yours.',
  },
}

export const STATE_LOOK: Readonly<Record<Proof['state'], { readonly tone: Tone; readonly word: string } | null>> = {
  none: null,
  open: { tone: 'waiting', word: 'Waiting' },
  expired: { tone: 'warn', word: 'Ran out' },
  verified: { tone: 'ok', word: 'Proved' },
  lapsed: { tone: 'warn', word: 'To be renewed' },
}

/** The state of the number itself, as a badge. */
export function lookOf({ asnVerifiedAt, doubt, lapsedAt }: AsnProofs): {
  readonly tone: Tone
  readonly children: string
} {
  if (lapsedAt) return { tone: 'bad', children: 'Lapsed' }
  if (!asnVerifiedAt) return { tone: 'waiting', children: 'Not verified yet' }
  return doubt ? { tone: 'warn', children: 'To be proved again' } : { tone: 'ok', children: 'Verified' }
}
