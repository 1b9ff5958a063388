import { Link } from '@tanstack/react-router'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../ui/components/EmptyState.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { DetailedUser } from '../../../accounts/portal/staff/user-documents.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { CHECK_BADGE, STATUS_BADGE, TYPE_LABELS } from '../prefix-labels.ts'

type Row = NonNullable<DetailedUser['ipTransit']>['prefixes'][number]

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'value',
    header: 'Prefix',
    cell: (prefix) => (
      <Link to="/admin/prefixes/$id" params={{ id: prefix.databaseId }} className="row-link num font-mono">
        {prefix.value}
      </Link>
    ),
    sort: (prefix) => prefix.value,
  },
  {
    id: 'status',
    header: 'Status',
    besideName: true,
    cell: (prefix) => <ToneBadge badge={STATUS_BADGE[prefix.status]} />,
    sort: (prefix) => prefix.status,
  },
  { id: 'rpki', header: 'RPKI', cell: (prefix) => <ToneBadge badge={CHECK_BADGE[prefix.rpkiStatus]} /> },
  { id: 'irr', header: 'IRR', cell: (prefix) => <ToneBadge badge={CHECK_BADGE[prefix.irrStatus]} /> },
  { id: 'type', header: 'Type', cell: (prefix) => TYPE_LABELS[prefix.announcementType], wideOnly: true },
  { id: 'imported', header: 'On the edge', cell: (prefix) => <Time at={prefix.importedAt} none="not on the edge" /> },
  { id: 'created', header: 'Requested', cell: (prefix) => <Time at={prefix.createdAt} />, wideOnly: true },
]

/** With this many rows, the sections below are still visible. */
const FIRST_ROWS = 10

export const UserPrefixes = ({ prefixes }: { prefixes: readonly Row[] }) => (
  <DataTable
    label="Prefixes"
    columns={COLUMNS}
    rows={prefixes}
    rowKey={(prefix) => prefix.id}
    firstRows={FIRST_ROWS}
    empty={
      <EmptyState icon="prefix" title="No prefixes">
        This user has not requested any yet.
      </EmptyState>
    }
  />
)
