import { formatAsn } from '../../kernel/asn.ts'
import { Absent } from '../../portal/ui/Absent.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'

interface Holding {
  readonly asn: number | null
  readonly asnVerifiedAt: string | null
}

/** An ASN and whether it is proved, in the height of a row. */
export function AsnFact({ of }: { of: Holding | null }) {
  if (!of || of.asn === null) return <Absent />
  return (
    <span className="inline-flex items-center gap-2">
      <span className="num font-mono text-[0.92em]">{formatAsn(of.asn)}</span>
      <AsnState verified={of.asnVerifiedAt !== null} />
    </span>
  )
}

export const AsnState = ({ verified }: { verified: boolean }) => (
  <StatusBadge tone={verified ? 'ok' : 'warn'}>{verified ? 'Verified' : 'Unverified'}</StatusBadge>
)
