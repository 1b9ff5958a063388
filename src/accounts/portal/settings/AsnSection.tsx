import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { LoadedSection, type SectionHead } from '../../../portal/screens/LoadedSection.tsx'
import { buttonLook } from '../../../portal/ui/button-look.ts'
import { DataTable, type Column } from '../../../portal/ui/DataTable.tsx'
import { Panel, Section } from '../../../portal/ui/PageHeader.tsx'
import { BlockSkeleton } from '../../../portal/ui/Skeleton.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { accounts } from '../api.ts'
import { AsnStanding } from '../asn/AsnStanding.tsx'
import { lookOf, PROOF_WORDS, STATE_LOOK, type Proof } from '../asn/proof-words.ts'
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
        <Link to="/awaiting-verification" className={buttonLook()}>
          {data.asn === null ? 'Add your ASN' : 'Proofs'}
        </Link>
      }
    >
      <div className="grid gap-3">
        <AsnStanding proofs={data} />
        {data.asn === null ? (
          <Panel className="px-4 py-3 text-sm text-dim">No ASN yet.</Panel>
        ) : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-mono text-base font-semibold">{formatAsn(data.asn)}</span>
            <StatusBadge {...lookOf(data)} note={!data.doubt && <Time at={data.asnVerifiedAt} none="" />} />
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

/** What the registry contradicts holds no more, whatever its day is. */
const untilOf = ({ contradictedAt, verifiedAt, validUntil, expiresAt }: Proof): string | null =>
  contradictedAt ? null : verifiedAt ? validUntil : expiresAt

const COLUMNS: readonly Column<Proof>[] = [
  {
    id: 'proof',
    header: 'Proof',
    cell: (proof) => <span className="font-medium">{PROOF_WORDS[proof.method].title}</span>,
  },
  { id: 'strength', header: 'Strength', cell: (proof) => <span className="text-sm">{proof.strength}</span> },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => {
      const look = STATE_LOOK[state]
      return look && <StatusBadge tone={look.tone}>{look.word}</StatusBadge>
    },
  },
  {
    id: 'until',
    header: 'Valid until',
    cell: (proof) => <Time at={untilOf(proof)} as="day" />,
  },
  { id: 'next', header: 'Next check', cell: (proof) => <Time at={proof.nextCheckAt} />, align: 'right' },
]
