import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { LoadedSection, type SectionHead } from '../../../ui/screens/LoadedSection.tsx'
import { buttonClass } from '../../../ui/components/button-variants.ts'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { Panel, Section } from '../../../ui/components/PageHeader.tsx'
import { BlockSkeleton } from '../../../ui/components/Skeleton.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { accounts } from '../api.ts'
import { AsnVerificationStatus } from '../asn/AsnVerificationStatus.tsx'
import { statusBadge, PROOF_LABELS, STATE_BADGE, type Proof } from '../asn/proof-labels.ts'
import { RegistryTimes } from '../asn/RegistryTimes.tsx'

const HEAD: SectionHead = {
  title: 'ASN',
  summary: 'Proofs that the ASN is yours, with expiry and next check.',
}

export const AsnSection = () => (
  <LoadedSection head={HEAD} loading={<BlockSkeleton className="h-33 max-md:h-44" />}>
    <OwnAsn />
  </LoadedSection>
)

function OwnAsn() {
  const { data } = useSuspenseQuery(accounts.query['GET /api/user/asn_proofs']())
  const begun = data.proofs.filter((proof) => proof.state !== 'none')
  return (
    <Section
      {...HEAD}
      actions={
        <Link to="/awaiting-verification" className={buttonClass()}>
          {data.asn === null ? 'Add your ASN' : 'Proofs'}
        </Link>
      }
    >
      <div className="grid gap-3">
        <AsnVerificationStatus proofs={data} />
        {data.asn === null ? (
          <Panel className="px-4 py-3 text-sm text-dim">No ASN yet.</Panel>
        ) : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono text-base font-semibold">{formatAsn(data.asn)}</span>
            <StatusBadge {...statusBadge(data)} note={!data.risk && <Time at={data.asnVerifiedAt} none="" />} />
            <span className="ml-auto max-md:ml-0">
              <RegistryTimes proofs={data} />
            </span>
          </div>
        )}
        {begun.length > 0 && (
          <DataTable label="ASN proofs" columns={COLUMNS} rows={begun} rowKey={(proof) => proof.method} />
        )}
      </div>
    </Section>
  )
}

/** A proof that the registry contradicts is not valid any more, whatever its expiry date. */
const untilOf = ({ contradictedAt, verifiedAt, validUntil, expiresAt }: Proof): string | null =>
  contradictedAt ? null : verifiedAt ? validUntil : expiresAt

const COLUMNS: readonly Column<Proof>[] = [
  {
    id: 'proof',
    header: 'Proof',
    cell: (proof) => <span className="font-medium">{PROOF_LABELS[proof.method].title}</span>,
  },
  { id: 'strength', header: 'Strength', cell: (proof) => <span className="text-sm">{proof.strength}</span> },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => {
      const badge = STATE_BADGE[state]
      return badge && <StatusBadge tone={badge.tone}>{badge.label}</StatusBadge>
    },
  },
  {
    id: 'until',
    header: 'Valid until',
    cell: (proof) => <Time at={untilOf(proof)} as="day" />,
  },
  { id: 'next', header: 'Next check', cell: (proof) => <Time at={proof.nextCheckAt} />, align: 'right' },
]
