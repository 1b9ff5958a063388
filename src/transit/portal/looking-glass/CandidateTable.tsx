import type { ReactNode } from 'react'
import { DataTable, type Column } from '../../../ui/components/DataTable.tsx'
import { EmptyState, ErrorState } from '../../../ui/components/EmptyState.tsx'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { LookupResult } from '../../contract.ts'

type Candidate = LookupResult['routes'][number]

const SOURCES = { customer: 'Customer', upstream: 'Upstream', own: 'This network' } as const

const NEXT_HOP: Column<Candidate> = {
  id: 'hop',
  header: 'Next hop',
  cell: ({ nextHop }) => (nextHop ? <span className="font-mono wrap-anywhere">{nextHop}</span> : <EmptyValue />),
}

/** The edge's routes for a destination, the best first. */
export function CandidateTable<R extends Candidate>({
  result: { target, edge, routes, error },
  whose,
}: {
  result: Omit<LookupResult, 'routes'> & { readonly routes: readonly R[] }
  whose: (route: R) => ReactNode
}) {
  if (error) return <ErrorState title="The edge could not be asked">{error}</ErrorState>
  const columns: readonly Column<R>[] = [
    { id: 'prefix', header: 'Prefix', cell: ({ prefix }) => <span className="font-mono">{prefix}</span> },
    {
      id: 'best',
      header: 'Choice',
      cell: ({ best, blackhole }) => (
        <StatusBadge tone={best ? 'ok' : 'off'}>{blackhole ? 'Blackhole' : best ? 'Best' : 'Not used'}</StatusBadge>
      ),
    },
    { id: 'why', header: 'Why', cell: ({ why }) => why },
    {
      id: 'path',
      header: 'AS path',
      cell: ({ asPath }) => <span className="font-mono wrap-anywhere">{asPath || 'originated here'}</span>,
    },
    { id: 'whose', header: 'From', cell: whose },
    // Only staff see next hops of other networks, so the column is hidden when all are empty.
    ...(routes.some(({ nextHop }) => nextHop !== null) ? [NEXT_HOP] : []),
    { id: 'age', header: 'Age', cell: ({ since }) => <Time at={since} as="since" /> },
    {
      id: 'attributes',
      header: 'Attributes',
      wideOnly: true,
      cell: ({ localPreference, med, originType }) =>
        [
          localPreference !== null && `local preference ${localPreference}`,
          originType && `origin ${originType}`,
          med !== null && `MED ${med}`,
        ]
          .filter(Boolean)
          .join(', '),
    },
    {
      id: 'communities',
      header: 'Communities',
      wideOnly: true,
      cell: ({ communities }) => <span className="font-mono text-xs wrap-anywhere">{communities.join(' ')}</span>,
    },
  ]
  const sorted = routes.toSorted((a, b) => Number(b.best) - Number(a.best))
  return (
    <DataTable
      label={`Routes for ${target}${edge ? ` on ${edge.name}` : ''}`}
      columns={columns}
      rows={sorted}
      rowKey={(route) => sorted.indexOf(route)}
      empty={<EmptyState title={`No route to ${target}`}>The edge would drop traffic for it.</EmptyState>}
    />
  )
}

export const sourceLabel = ({ source, own }: Candidate): string => (own ? 'Your router' : SOURCES[source])
