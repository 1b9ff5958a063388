import { formatAsn } from '../../../kernel/asn.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'

interface AsnOwner {
  readonly asn: number | null
  readonly asnVerifiedAt: string | null
}

/** Shows an ASN and whether it is verified, within the height of a table row. */
export function AsnDetail({ of }: { of: AsnOwner | null }) {
  if (!of || of.asn === null) return <EmptyValue />
  return (
    <span className="inline-flex items-center gap-2">
      <span className="num font-mono text-[0.92em]">{formatAsn(of.asn)}</span>
      <AsnState verified={of.asnVerifiedAt !== null} />
    </span>
  )
}

export const AsnState = ({ verified }: { verified: boolean }) => (
  <StatusBadge tone={verified ? 'ok' : 'warn'}>{verified ? 'Verified' : 'Not verified'}</StatusBadge>
)
