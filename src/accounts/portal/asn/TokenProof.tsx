import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAsn } from '../../../kernel/asn.ts'
import { refreshUser } from '../../../ui/runtime/session.ts'
import { Button } from '../../../ui/components/Button.tsx'
import { CodeBlock } from '../../../ui/components/CodeBlock.tsx'
import type { AsnProofs } from '../../contract.ts'
import { accounts } from '../api.ts'
import type { Proof } from './proof-labels.ts'

const query = accounts.query['GET /api/user/asn_proofs']()

/** Shows the remark to add to the registry object, and checks for it on request. */
export function TokenProof({ proof, asn }: { proof: Proof; asn: number | null }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async (act: () => Promise<AsnProofs>) => {
    setBusy(true)
    try {
      const proofs = await act()
      queries.setQueryData(query.queryKey, proofs)
      if (proofs.asnVerifiedAt) await refreshUser()
    } finally {
      setBusy(false)
    }
  }
  const begin = () => run(() => accounts.call['POST /api/user/asn_proofs/autnum_token']({ body: {} }))
  const check = () => run(() => accounts.call['POST /api/user/asn_proofs/autnum_token/check']({ body: {} }))

  const again = proof.state === 'expired' || proof.state === 'lapsed'
  if (proof.remark === null || proof.state === 'expired') {
    return (
      <div className="mt-3">
        <Button busy={busy} disabledReason={proof.unavailable} onClick={() => void begin()}>
          {again ? 'Start again' : 'Use this method'}
        </Button>
      </div>
    )
  }
  return (
    <div className="mt-3 grid gap-3">
      <CodeBlock
        label="Remark to add to the object"
        snippets={[
          { label: 'RIPE, APNIC, AFRINIC', text: `remarks: ${proof.remark}` },
          { label: 'ARIN', text: `Public Comments: ${proof.remark}` },
        ]}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <output className="text-sm text-dim">
          {proof.result ??
            `Add it to ${asn === null ? 'the object' : `the object of ${formatAsn(asn)}`}. We check every few minutes.`}
          {proof.state === 'verified' && ' The proof renews automatically while the remark is in place.'}
        </output>
        <Button icon="refresh" busy={busy} onClick={() => void check()}>
          Check now
        </Button>
      </div>
    </div>
  )
}
