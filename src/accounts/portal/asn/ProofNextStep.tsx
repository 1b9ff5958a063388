import type { ReactNode } from 'react'
import { formatAsn } from '../../../kernel/asn.ts'
import { supportEmail } from '../../../ui/runtime/page-settings.ts'
import type { AsnProofs } from '../../contract.ts'
import { staffListWords, type Proof } from './proof-labels.ts'

/** For proofs that staff start: shows whose turn it is and where the link was sent. */
export function ProofNextStep({ proof, of }: { proof: Proof; of: Pick<AsnProofs, 'asn' | 'waitsForStaff'> }) {
  const words = nextStep(proof, of)
  return words && <p className="mt-2 text-sm wrap-anywhere">{words}</p>
}

function nextStep(
  { method, state, sentTo }: Pick<Proof, 'method' | 'state' | 'sentTo'>,
  { asn, waitsForStaff }: Pick<AsnProofs, 'asn' | 'waitsForStaff'>,
): ReactNode {
  if (asn === null) return null
  const writeToSupport = (
    <a href={`mailto:${supportEmail}?subject=${formatAsn(asn)}`} className="link">
      Write to support
    </a>
  )
  if (method === 'staff') return state === 'none' && writeToSupport
  if (method !== 'registry_contact' || state === 'verified') return null
  if (state === 'none') return staffListWords({ asn, waitsForStaff })
  return (
    <>
      {sentTo !== null && <>The link went to {sentTo}. </>}
      {state === 'open' ? 'Wrong mailbox, or no answer?' : 'It is no longer valid.'} {writeToSupport} for another one.
    </>
  )
}
