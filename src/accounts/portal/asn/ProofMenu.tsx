import { lazy, Suspense } from 'react'
import type { AsnProofs } from '../../contract.ts'
import { ProofItem } from './ProofItem.tsx'
import { ProofNextStep } from './ProofNextStep.tsx'
import { TokenProof } from './TokenProof.tsx'

const PeeringDbProof = lazy(() => import('./PeeringDbProof.tsx'))

/** Lists the methods to prove an ASN, strongest first, each with its requirements and progress. */
export function ProofMenu({ proofs: all, verified }: { proofs: AsnProofs; verified: boolean }) {
  const { asn, proofs } = all
  return (
    <section aria-label="Verification methods">
      <h2 className="mb-2 text-base font-semibold">{verified ? 'Proofs' : 'Choose a method'}</h2>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {proofs.map((proof) => (
          <ProofItem key={proof.method} proof={proof}>
            <ProofNextStep proof={proof} of={all} />
            {proof.method === 'autnum_token' && <TokenProof proof={proof} asn={asn} />}
            {proof.method === 'peeringdb' && (
              <Suspense>
                <PeeringDbProof proof={proof} />
              </Suspense>
            )}
          </ProofItem>
        ))}
      </ul>
    </section>
  )
}
