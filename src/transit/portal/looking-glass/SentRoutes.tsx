import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { Section } from '../../../ui/components/PageHeader.tsx'
import { TableSkeleton } from '../../../ui/components/Skeleton.tsx'
import type { SentRoute } from '../../contract.ts'
import { transit } from '../api.ts'
import { LookupForm } from './LookupForm.tsx'
import { grouped } from '../../../ui/components/quantity.ts'

/** The routes that our edge announces to the customer's router. */
export function SentRoutes() {
  const { data, isPending } = useQuery(transit.query['GET /api/transit_connection/sent_routes']({ query: {} }))
  const [found, setFound] = useState<{ search: string; routes: SentRoute[]; error: string | null } | null>(null)
  return (
    <Section
      title="What we send you"
      summary={data && !data.error ? `${grouped(data.total)} routes on both sessions.` : undefined}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {isPending ? <TableSkeleton /> : data ? <Sent {...data} /> : <ErrorState />}
        {data && !data.error && !data.complete && (
          <p className="text-sm text-dim">The first {data.routes.length} are shown. Search for the others.</p>
        )}
        <LookupForm
          label="Search sent routes"
          name="search"
          placeholder="192.0.2.1 or 2001:db8::/32"
          submit="Search"
          onSubmit={async (values, submission) => {
            const search = values.text('search')
            const call = transit.call['GET /api/transit_connection/sent_routes']
            const { routes, error } = await call({ query: { search } }, submission)
            setFound({ search, routes, error })
          }}
        />
        <div aria-live="polite">
          {found && <Sent routes={found.routes} error={found.error} label={`Sent routes for ${found.search}`} />}
        </div>
      </div>
    </Section>
  )
}

const Sent = ({
  routes,
  error,
  label = 'Sent routes',
}: {
  routes: readonly SentRoute[]
  error: string | null
  label?: string
}) =>
  error ? (
    <ErrorState title="The edge could not be asked">{error}</ErrorState>
  ) : (
    <DataTable
      label={label}
      columns={COLUMNS}
      rows={routes}
      rowKey={({ prefix }) => prefix}
      firstRows={10}
      empty={<EmptyState title="We send you no such route" />}
    />
  )

const COLUMNS: readonly Column<SentRoute>[] = [
  { id: 'prefix', header: 'Prefix', cell: ({ prefix }) => <span className="font-mono font-medium">{prefix}</span> },
  { id: 'path', header: 'AS path', cell: ({ asPath }) => <span className="font-mono wrap-anywhere">{asPath}</span> },
  {
    id: 'communities',
    header: 'Communities',
    wideOnly: true,
    cell: ({ communities }) => <span className="font-mono text-xs wrap-anywhere">{communities.join(' ')}</span>,
  },
]
