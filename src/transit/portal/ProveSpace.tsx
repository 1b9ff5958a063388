import { CodeBlock } from '../../ui/components/CodeBlock.tsx'
import type { TransitPrefix } from '../contract.ts'
import { EVIDENCE_LABELS } from './prefix-labels.ts'
import { ReverseDnsRecords, zoneFileOf } from './ReverseDnsRecords.tsx'

/** The proof that the prefix is the customer's or, while a request waits, how to prove it. */
export function ProveSpace({ prefix }: { prefix: TransitPrefix }) {
  const { status, suspendAt, evidence, token, reverseDns } = prefix
  const asks = status === 'PENDING' || status === 'NEEDS_ACTION' || status === 'SUSPENDED' || suspendAt !== null
  if (!asks) return null
  const proofs = evidence.filter(({ strength, current }) => current && (strength === 'strong' || strength === 'medium'))
  if (proofs.length > 0) {
    const kinds = [...new Set(proofs.map(({ kind }) => EVIDENCE_LABELS[kind]))].join(', ')
    return <p className="text-sm text-dim">Evidence found: {kinds}.</p>
  }
  return (
    <div className="grid gap-1.5">
      <p className="text-sm">
        Nothing proves yet that you may announce this prefix. Create a ROA or a route object, add this remark to the
        registration of the addresses, or publish the token in reverse DNS. Or ask support to email a contact that the
        registry lists for the addresses.
      </p>
      <CodeBlock
        label="Remark that proves the prefix"
        snippets={[{ label: 'Remark (checked every hour)', text: `remarks:        ${token}` }]}
      />
      {reverseDns && (
        <>
          <CodeBlock
            label="TXT records that prove the prefix"
            snippets={[{ label: 'TXT records (checked every 10 minutes)', text: zoneFileOf(reverseDns) }]}
          />
          <ReverseDnsRecords reverseDns={reverseDns} />
        </>
      )}
    </div>
  )
}
