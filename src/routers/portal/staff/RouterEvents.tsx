import { Link } from '@tanstack/react-router'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { AdminRouter } from '../../contract.ts'

type Row = AdminRouter['events'][number]

const COLUMNS: readonly Column<Row>[] = [
  { id: 'action', header: 'Event', cell: ({ action }) => <span className="font-mono text-sm">{action}</span> },
  {
    id: 'by',
    header: 'By',
    cell: ({ by, actorId }) =>
      actorId === null ? (
        by
      ) : (
        <Link to="/admin/users/$id" params={{ id: actorId }} className="link">
          {by}
        </Link>
      ),
  },
  {
    id: 'data',
    header: 'Data',
    cell: ({ data }) => <span className="font-mono text-xs text-dim wrap-anywhere">{describeData(data)}</span>,
  },
  { id: 'at', header: 'When', align: 'right', cell: ({ at }) => <Time at={at} /> },
]

const describeData = (data: Row['data']): string =>
  Object.entries(data)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')

export const RouterEvents = ({ events }: { events: readonly Row[] }) => (
  <DataTable label="Events" columns={COLUMNS} rows={events} rowKey={(event) => event.id} />
)
