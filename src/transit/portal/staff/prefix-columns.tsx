import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { ListedPrefix } from './prefix-documents.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'
import { CHECK_BADGE, EVIDENCE_LABELS, STATUS_BADGE, STRENGTH_BADGE, TYPE_LABELS } from '../prefix-labels.ts'
import { evidenceInWords, holderInWords } from './prefix-decisions.ts'

const asn: Column<ListedPrefix> = {
  id: 'asn',
  header: 'ASN',
  csv: ({ ipTransit }) => ipTransit.asn && formatAsn(ipTransit.asn),
  cell: ({ ipTransit }) =>
    ipTransit.asn === null ? <EmptyValue /> : <span className="num font-mono">{formatAsn(ipTransit.asn)}</span>,
}

function Strength({ prefix: { evidence } }: { prefix: ListedPrefix }) {
  if (evidence === null) return <span className="whitespace-nowrap text-faint">{evidenceInWords(evidence)}</span>
  return <ToneBadge badge={STRENGTH_BADGE[evidence.strength]} />
}

export const prefixColumns: readonly Column<ListedPrefix>[] = [
  {
    id: 'value',
    header: 'Prefix',
    csv: ({ value }) => value,
    cell: (prefix) => (
      <Link to="/admin/prefixes/$id" params={{ id: prefix.databaseId }} className="row-link num font-mono">
        {prefix.value}
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    csv: ({ status }) => STATUS_BADGE[status].label,
    besideName: true,
    cell: (prefix) => (
      <span className="inline-flex items-center gap-1.5">
        <ToneBadge badge={STATUS_BADGE[prefix.status]} />
        {/* Approved, and its proof has since broken. */}
        {prefix.flaggedAt && prefix.status === 'APPROVED' && <StatusBadge tone="warn">Attention</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'rpki',
    header: 'RPKI',
    csv: ({ rpkiStatus }) => CHECK_BADGE[rpkiStatus].label,
    cell: (prefix) => <ToneBadge badge={CHECK_BADGE[prefix.rpkiStatus]} />,
  },
  {
    id: 'irr',
    header: 'IRR',
    csv: ({ irrStatus }) => CHECK_BADGE[irrStatus].label,
    cell: (prefix) => <ToneBadge badge={CHECK_BADGE[prefix.irrStatus]} />,
  },
  {
    id: 'evidence',
    header: 'Evidence',
    csv: ({ evidence }) => evidenceInWords(evidence),
    cell: (prefix) => <Strength prefix={prefix} />,
    wideOnly: true,
  },
  // It is the user's, and the search finds it.
  { ...asn, hiddenAtFirst: true },
  {
    id: 'user',
    header: 'User',
    csv: ({ ipTransit: { user } }) => fullName(user),
    cell: ({ ipTransit: { user } }) => <UserLink id={user.databaseId} user={user} />,
  },
  {
    id: 'type',
    header: 'Type',
    csv: (prefix) => TYPE_LABELS[prefix.announcementType],
    cell: (prefix) => TYPE_LABELS[prefix.announcementType],
    wideOnly: true,
    hiddenAtFirst: true,
  },
  {
    id: 'created',
    header: 'Requested',
    csv: ({ createdAt }) => createdAt,
    cell: (prefix) => <Time at={prefix.createdAt} />,
  },
]

/** The columns for a decision about several prefixes, without links that lead away from it. */
export const approvalColumns: readonly Column<ListedPrefix>[] = [
  { id: 'value', header: 'Prefix', cell: ({ value }) => <span className="num font-mono font-medium">{value}</span> },
  { id: 'user', header: 'Customer', cell: ({ ipTransit: { user } }) => fullName(user) },
  asn,
  { id: 'holder', header: 'Holder', cell: ({ holder }) => holderInWords(holder) },
  {
    id: 'evidence',
    header: 'Evidence',
    cell: (prefix) => (
      <span className="grid gap-1">
        <span className="inline-flex items-center gap-1.5">
          <Strength prefix={prefix} />
          {prefix.evidence && EVIDENCE_LABELS[prefix.evidence.kind]}
        </span>
        {prefix.evidence && <span className="text-sm text-dim">{prefix.evidence.seen}</span>}
      </span>
    ),
  },
]
