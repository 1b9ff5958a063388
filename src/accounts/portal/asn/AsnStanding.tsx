import type { ReactNode } from 'react'
import { Callout } from '../../../portal/ui/Callout.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { AsnProofs } from '../../contract.ts'

type Doubt = NonNullable<AsnProofs['doubt']>

const WHY: Readonly<Record<Doubt['cause'], string>> = {
  expired: 'Its last proof has expired.',
  holder_changed: 'The registered holder has changed since you verified it.',
  unallocated: 'The registry no longer lists it as assigned.',
}

/** What its owner must know before everything else: that the number will lapse, that it did, that nobody can be asked. */
export function AsnStanding({ proofs }: { proofs: AsnProofs }) {
  const { doubt, lapsedAt, silentSince } = proofs
  if (lapsedAt) {
    return (
      <Callout tone="bad" title="No longer verified">
        {doubt && WHY[doubt.cause]} Verification ended <Time at={lapsedAt} />: your prefixes are suspended and your
        sessions are down. Verify it again and your prefixes are resubmitted automatically.
      </Callout>
    )
  }
  if (doubt) return <DoubtNotice doubt={doubt} />
  if (!silentSince) return null
  return (
    <Callout>
      The registry has not responded since <Time at={silentSince} />. Your ASN stays verified; we keep trying.
    </Callout>
  )
}

/** Why, what to do, until when, and what follows otherwise. */
export const DoubtNotice = ({ doubt: { cause, lapsesAt }, action }: { doubt: Doubt; action?: ReactNode }) => (
  <Callout
    tone="warn"
    title={
      <>
        Verify your ASN again by <Time at={lapsesAt} as="day" />
      </>
    }
    action={action}
  >
    {WHY[cause]} Nothing changes until then. After that, your prefixes are suspended and your sessions go down.
  </Callout>
)
