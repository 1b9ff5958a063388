import type { ReactNode } from 'react'
import { Callout } from '../../../ui/components/Callout.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { AsnProofs } from '../../contract.ts'

type VerificationRisk = NonNullable<AsnProofs['risk']>

const WHY: Readonly<Record<VerificationRisk['cause'], string>> = {
  expired: 'Its last proof has expired.',
  holder_changed: 'The registered holder has changed since you verified it.',
  unallocated: 'The registry no longer lists it as assigned.',
}

/**
 * Shows what the owner must know first: that the verification will lapse, that it lapsed, or that the registry does
 * not answer.
 */
export function AsnVerificationStatus({ proofs }: { proofs: AsnProofs }) {
  const { risk, lapsedAt, silentSince } = proofs
  if (lapsedAt) {
    return (
      <Callout tone="bad" title="No longer verified">
        {risk && WHY[risk.cause]} Verification ended <Time at={lapsedAt} />: your prefixes are suspended and your
        sessions are down. Verify it again and your prefixes are resubmitted automatically.
      </Callout>
    )
  }
  if (risk) return <VerificationRiskNotice risk={risk} />
  if (!silentSince) return null
  return (
    <Callout>
      The registry has not responded since <Time at={silentSince} />. Your ASN stays verified; we keep trying.
    </Callout>
  )
}

/** Says why, what to do, until when, and what happens otherwise. */
export const VerificationRiskNotice = ({
  risk: { cause, lapsesAt },
  action,
}: {
  risk: VerificationRisk
  action?: ReactNode
}) => (
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
