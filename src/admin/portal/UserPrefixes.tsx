import { Link } from '@tanstack/react-router'
import { DataTable, type Column } from '../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../portal/ui/EmptyState.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import type { DetailedUser } from './documents/users.ts'
import { LookBadge } from './LookBadge.tsx'
import { CHECK_LOOK, STATUS_LOOK, TYPE_WORDS } from '../../transit/portal/prefix-words.ts'

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
    cell: (prefix) => <LookBadge look={STATUS_LOOK[prefix.status]} />,
    sort: (prefix) => prefix.status,
  },
  { id: 'rpki', header: 'RPKI', cell: (prefix) => <LookBadge look={CHECK_LOOK[prefix.rpkiStatus]} /> },
  { id: 'irr', header: 'IRR', cell: (prefix) => <LookBadge look={CHECK_LOOK[prefix.irrStatus]} /> },
  { id: 'type', header: 'Type', cell: (prefix) => TYPE_WORDS[prefix.announcementType], wideOnly: true },
  { id: 'imported', header: 'On the edge', cell: (prefix) => <Time at={prefix.importedAt} none="not on the edge" /> },
  { id: 'created', header: 'Requested', cell: (prefix) => <Time at={prefix.createdAt} />, wideOnly: true },
]

/** Of so many what stands below them is still in sight. */
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
