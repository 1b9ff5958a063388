import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMissingRoleReason } from '../../../../ui/runtime/required-role.ts'
import { Button } from '../../../../ui/components/Button.tsx'
import { DataTable, type Column } from '../../../../ui/components/DataTable.tsx'
import { EmptyState } from '../../../../ui/components/EmptyState.tsx'
import { StatusBadge } from '../../../../ui/components/StatusBadge.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import type { AddressPool } from '../../../inventory/contract.ts'
import { pools } from '../api.ts'
import { PoolDialog } from './PoolDialog.tsx'
import { InventoryLayout } from './InventoryLayout.tsx'

const shareOf = ({ used, capacity }: AddressPool): number => (capacity === 0 ? 1 : used / capacity)

const COLUMNS: readonly Column<AddressPool>[] = [
  {
    id: 'prefix4',
    header: 'IPv4',
    cell: ({ id, prefix4 }) => (
      <Link to="/admin/inventory/pools/$id" params={{ id }} className="row-link num font-mono">
        {prefix4}
      </Link>
    ),
  },
  { id: 'prefix6', header: 'IPv6', cell: ({ prefix6 }) => <span className="num font-mono text-sm">{prefix6}</span> },
  { id: 'site', header: 'Site', cell: ({ site }) => site.name, sort: ({ site }) => site.name },
  {
    id: 'state',
    header: 'State',
    cell: ({ closedAt }) => (
      <StatusBadge tone={closedAt === null ? 'ok' : 'off'}>{closedAt === null ? 'Open' : 'Closed'}</StatusBadge>
    ),
  },
  {
    id: 'used',
    header: 'Used',
    align: 'right',
    cell: ({ used }) => <span className="num">{used}</span>,
    sort: ({ used }) => used,
  },
  {
    id: 'free',
    header: 'Free',
    align: 'right',
    cell: ({ used, capacity }) => <span className="num">{capacity - used}</span>,
    sort: ({ used, capacity }) => capacity - used,
  },
  {
    id: 'share',
    header: 'Usage',
    cell: (pool) => <UsageBar used={shareOf(pool)} label={`Usage of ${pool.prefix4}`} />,
    sort: shareOf,
  },
]

export function PoolsPage() {
  const { data } = useSuspenseQuery(pools())
  const blockedReason = useMissingRoleReason('network')
  const [adding, setAdding] = useState(false)
  const add = (
    <Button variant="primary" icon="plus" disabledReason={blockedReason} onClick={() => setAdding(true)}>
      Add address pool
    </Button>
  )
  return (
    <InventoryLayout
      title="Address pools"
      summary="Network segments that routers attach to. Each router gets one IPv4 and one IPv6 address with the same host number."
      actions={add}
    >
      <DataTable
        label="Address pools"
        columns={COLUMNS}
        rows={data}
        rowKey={(pool) => pool.id}
        empty={
          <EmptyState icon="prefix" title="No address pools yet" action={add}>
            A site needs a pool to accept orders, because each router needs an address.
          </EmptyState>
        }
      />
      {adding && <PoolDialog onClose={() => setAdding(false)} />}
    </InventoryLayout>
  )
}
