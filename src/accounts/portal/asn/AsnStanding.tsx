import type { ReactNode } from 'react'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { AsnProofs } from '../../contract.ts'

type Doubt = NonNullable<AsnProofs['doubt']>

const WHY: Readonly<Record<Doubt['cause'], string>> = {
  expired: 'Its last proof has run past its day.',
  holder_changed: 'The registry names another holder than when you proved it.',
  unallocated: 'The registry says that nobody holds it any more.',
}

/** What its owner must know before everything else: that the number will lapse, that it did, that nobody can be asked. */
export function AsnStanding({ proofs }: { proofs: AsnProofs }) {
  const { doubt, lapsedAt, silentSince } = proofs
  if (lapsedAt) {
    return (
      <Callout tone="bad" title="Not verified any more">
        {doubt && WHY[doubt.cause]} It lapsed <Time at={lapsedAt} />: your prefixes are suspended, your sessions closed.
        Prove it again, and your prefixes return as requests by themselves.
      </Callout>
    )
  }
  if (doubt) return <DoubtNotice doubt={doubt} />
  if (!silentSince) return null
  return (
    <Callout>
      The registry has not answered since <Time at={silentSince} />. That takes nothing away: we go on asking.
    </Callout>
  )
}

/** Why, what to do, until when, and what follows otherwise. */
export const DoubtNotice = ({ doubt: { cause, lapsesAt }, action }: { doubt: Doubt; action?: ReactNode }) => (
  <Callout
    tone="warn"
    title={
      <>
        Prove your ASN again by <Time at={lapsesAt} as="day" />
      </>
    }
    action={action}
  >
    {WHY[cause]} Until then nothing changes; after it your prefixes are suspended and your sessions closed.
  </Callout>
)
