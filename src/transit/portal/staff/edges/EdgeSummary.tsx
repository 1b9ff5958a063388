import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../../ui/components/button-variants.ts'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge } from '../../../contract.ts'
import { edges } from '../api.ts'
import { EdgeAnnouncements, EdgeSessions, EdgeState, EdgeUpstreams, OriginValidation } from './EdgeDetails.tsx'

/** Each edge on one line. */
export function EdgeSummary() {
  const { data } = useSuspenseQuery(edges())
  return (
    <DataTable
      label="Edges"
      columns={data.edges.some((edge) => errorsOf(edge) !== '') ? [...COLUMNS, ERRORS] : COLUMNS}
      rows={data.edges}
      rowKey={({ id }) => id}
      empty={
        <EmptyState
          icon="transit"
          title="No edges yet"
          action={
            <Link to="/admin/inventory/edges" className={buttonClass('primary')}>
              Add edge
            </Link>
          }
        >
          Customers have no transit without an edge.
        </EmptyState>
      }
    />
  )
}

const errorsOf = ({ error, upstreams, originValidation, neighborsError }: AdminEdge): string =>
  [error, upstreams?.error, originValidation?.error, neighborsError].filter(Boolean).join(' ')

const COLUMNS: readonly Column<AdminEdge>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => (
      <Link to="/admin/inventory/edges" className="row-link">
        {name}
      </Link>
    ),
    sort: ({ name }) => name,
  },
  { id: 'state', header: 'State', besideName: true, cell: (edge) => <EdgeState edge={edge} /> },
  {
    id: 'sessions',
    header: 'Sessions',
    cell: (edge) => <EdgeSessions edge={edge} />,
  },
  { id: 'upstreams', header: 'Upstreams', cell: (edge) => <EdgeUpstreams edge={edge} /> },
  { id: 'announced', header: 'Announced', cell: (edge) => <EdgeAnnouncements edge={edge} /> },
  { id: 'rpki', header: 'RPKI', cell: (edge) => <OriginValidation edge={edge} /> },
  { id: 'applied', header: 'Last applied', cell: ({ appliedAt }) => <Time at={appliedAt} none="never" /> },
]

const ERRORS: Column<AdminEdge> = {
  id: 'error',
  header: 'Error',
  cell: (edge) => <span className="wrap-anywhere">{errorsOf(edge) || <span className="text-faint">none</span>}</span>,
}
