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
import { CHECK_BADGE, STATUS_BADGE, TYPE_LABELS } from '../prefix-labels.ts'

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
        {/* Approved once, and its proof broke since. */}
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
    id: 'asn',
    header: 'ASN',
    csv: ({ ipTransit: { asn } }) => asn && formatAsn(asn),
    cell: ({ ipTransit: { asn } }) =>
      asn === null ? <EmptyValue /> : <span className="num font-mono">{formatAsn(asn)}</span>,
  },
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
  },
  {
    id: 'created',
    header: 'Requested',
    csv: ({ createdAt }) => createdAt,
    cell: (prefix) => <Time at={prefix.createdAt} />,
  },
]
