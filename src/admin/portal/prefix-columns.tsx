import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../kernel/asn.ts'
import { Absent } from '../../portal/ui/Absent.tsx'
import type { Column } from '../../portal/ui/DataTable.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { ListedPrefix } from './documents/prefixes.ts'
import { LookBadge } from './LookBadge.tsx'
import { PersonLink } from './PersonLink.tsx'
import { CHECK_LOOK, STATUS_LOOK, TYPE_WORDS } from '../../transit/portal/prefix-words.ts'

export const prefixColumns: readonly Column<ListedPrefix>[] = [
  {
    id: 'value',
    header: 'Prefix',
    cell: (prefix) => (
      <Link to="/admin/prefixes/$id" params={{ id: prefix.databaseId }} className="row-link num font-mono">
        {prefix.value}
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    besideName: true,
    cell: (prefix) => (
      <span className="inline-flex items-center gap-1.5">
        <LookBadge look={STATUS_LOOK[prefix.status]} />
        {/* Approved once, and its proof broke since. */}
        {prefix.flaggedAt && prefix.status === 'APPROVED' && <StatusBadge tone="warn">Attention</StatusBadge>}
      </span>
    ),
  },
  { id: 'rpki', header: 'RPKI', cell: (prefix) => <LookBadge look={CHECK_LOOK[prefix.rpkiStatus]} /> },
  { id: 'irr', header: 'IRR', cell: (prefix) => <LookBadge look={CHECK_LOOK[prefix.irrStatus]} /> },
  {
    id: 'asn',
    header: 'ASN',
    cell: ({ ipTransit: { asn } }) =>
      asn === null ? <Absent /> : <span className="num font-mono">{formatAsn(asn)}</span>,
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ ipTransit: { user } }) => <PersonLink id={user.databaseId} person={user} />,
  },
  { id: 'type', header: 'Type', cell: (prefix) => TYPE_WORDS[prefix.announcementType], wideOnly: true },
  { id: 'created', header: 'Requested', cell: (prefix) => <Time at={prefix.createdAt} /> },
]
