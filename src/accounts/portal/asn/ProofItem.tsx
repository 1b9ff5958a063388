import type { ReactNode } from 'react'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { PROOF_LABELS, STATE_BADGE, type Proof } from './proof-labels.ts'
import { Strength } from './Strength.tsx'

export function ProofItem({ proof, children }: { proof: Proof; children?: ReactNode }) {
  const { title, how } = PROOF_LABELS[proof.method]
  const badge = STATE_BADGE[proof.state]
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-base font-semibold">{title}</h3>
        {badge && <StatusBadge tone={badge.tone}>{badge.label}</StatusBadge>}
        <span className="ml-auto max-md:ml-0 max-md:basis-full">
          <Strength of={proof.strength} days={proof.validForDays} />
        </span>
      </div>
      <p className="mt-0.5 max-w-[70ch] text-sm text-dim">{how}</p>
      <ProofTimes proof={proof} />
      {children}
    </li>
  )
}

/** Shows what happened and what comes next, with times. */
function ProofTimes({ proof }: { proof: Proof }) {
  const items: readonly (readonly [label: string, at: string | null, as?: 'day'])[] = [
    ['Verified', proof.verifiedAt],
    ['Contradicted by the registry', proof.contradictedAt],
    [
      proof.state === 'lapsed' ? 'Was valid until' : 'Valid until',
      proof.contradictedAt ? null : proof.validUntil,
      'day',
    ],
    ['Started', proof.verifiedAt ? null : proof.startedAt],
    [proof.state === 'expired' ? 'Expired' : 'Expires', proof.verifiedAt ? null : proof.expiresAt],
    ['Last check', proof.checkedAt],
    ['Next check', proof.nextCheckAt],
  ]
  const known = items.filter(([, at]) => at !== null)
  if (known.length === 0) return null
  return (
    <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-xs">
      {known.map(([label, at, as]) => (
        <div key={label} className="flex gap-1.5">
          <dt className="text-faint">{label}</dt>
          <dd className="text-dim">
            <Time at={at} as={as ?? 'relative'} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
