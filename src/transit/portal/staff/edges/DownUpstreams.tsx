import { useSuspenseQuery } from '@tanstack/react-query'
import { formatAsn } from '../../../../kernel/asn.ts'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import type { AdminEdge } from '../../../contract.ts'
import { edges } from '../api.ts'
import { isUnreachable } from './EdgeDetails.tsx'
import type { Upstream } from './topology-tones.ts'

/** Upstream sessions that are down, for all reachable edges. Renders nothing without any. */
export function DownUpstreams() {
  const { data } = useSuspenseQuery(edges())
  const rows = data.edges.flatMap((edge) =>
    isUnreachable(edge)
      ? []
      : (edge.upstreams?.sessions ?? []).filter(({ downSince }) => downSince !== null).map((one) => ({ ...one, edge })),
  )
  if (rows.length === 0) return null
  return (
    <div className="mb-3">
      <DataTable
        label="Upstream sessions down"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ edge, name }) => `${edge.id} ${name}`}
      />
    </div>
  )
}

const COLUMNS: readonly Column<Upstream & { readonly edge: AdminEdge }>[] = [
  {
    id: 'upstream',
    header: 'Upstream',
    cell: ({ name, asn }) => (
      <>
        {name} <span className="num font-mono text-xs text-faint">{formatAsn(asn)}</span>
      </>
    ),
  },
  { id: 'since', header: 'Down for', besideName: true, cell: ({ downSince }) => <Time at={downSince} as="since" /> },
  { id: 'edge', header: 'Edge', cell: ({ edge }) => edge.name },
  { id: 'address', header: 'Address', cell: ({ address }) => <code className="text-xs">{address}</code> },
  {
    id: 'cause',
    header: 'Cause',
    cell: ({ lastError }) => lastError ?? <span className="text-faint">Not reported</span>,
  },
]
