import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { Section } from '../../../../ui/components/PageHeader.tsx'
import type { StaffTopology } from '../../../contract.ts'
import { topology } from '../api.ts'
import { Counts, DOWN_COLUMNS } from '../DownSessions.tsx'
import { DownUpstreams } from './DownUpstreams.tsx'

const MOST_LISTED = 10

/** Over all edges: how many sessions are up or not, and those that went down last. */
export function FailingSessions() {
  const { data } = useSuspenseQuery(topology())
  const sum = (name: keyof StaffTopology['edges'][number]['counts']) =>
    data.edges.reduce((total, { counts }) => total + counts[name], 0)
  const down = sum('down')
  const rows = data.down.slice(0, MOST_LISTED)
  return (
    <Section title="BGP sessions">
      <DownUpstreams />
      <Counts
        counts={{
          down,
          established: sum('established'),
          neverUp: sum('neverUp'),
          disabled: sum('disabled'),
          unknown: sum('unknown'),
        }}
      />
      {rows.length > 0 && (
        <DataTable
          label="Sessions down"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ customer, family }) => `${customer.id} ${family}`}
        />
      )}
      {down > rows.length && rows.length > 0 && (
        <p className="mt-2 text-sm text-dim">
          {rows.length} of {down}, at most three of each hypervisor.{' '}
          <Link to="/admin/sessions" search={{ status: 'down' }} className="link">
            View all that are down
          </Link>
        </p>
      )}
    </Section>
  )
}

const COLUMNS: readonly Column<StaffTopology['down'][number]>[] = [
  ...DOWN_COLUMNS,
  {
    id: 'hypervisor',
    header: 'Hypervisor',
    cell: ({ hypervisor }) =>
      hypervisor && (
        <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.id }} className="link relative z-1">
          {hypervisor.name}
        </Link>
      ),
  },
]
