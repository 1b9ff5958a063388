import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { DataTable, type Column } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { mebibytes, type Quantity } from '../../ui/components/quantity.ts'
import { UsageBar } from '../../ui/components/UsageBar.tsx'
import type { InventoryHypervisor } from '../../routers/inventory/contract.ts'
import { hypervisors } from '../../routers/portal/staff/api.ts'
import { HypervisorState } from '../../routers/portal/staff/inventory/HypervisorState.tsx'

const USAGES = [
  { key: 'cpu', header: 'CPU load', wideOnly: false },
  { key: 'ipv4', header: 'Addresses', wideOnly: true },
] as const

const words = ({ number, unit }: Quantity): string => `${number} ${unit}`

const COLUMNS: readonly Column<InventoryHypervisor>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (hypervisor) => (
      <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.id }} className="row-link whitespace-nowrap">
        {hypervisor.name}
      </Link>
    ),
    sort: (hypervisor) => hypervisor.name,
  },
  { id: 'state', header: 'State', besideName: true, cell: (hypervisor) => <HypervisorState of={hypervisor} /> },
  {
    id: 'site',
    header: 'Site',
    cell: ({ site }) => <span className="whitespace-nowrap">{site.name}</span>,
    sort: ({ site }) => site.name,
  },
  {
    id: 'routers',
    header: 'Routers',
    align: 'right',
    cell: ({ routers }) => <span className="num">{routers}</span>,
    sort: ({ routers }) => routers,
  },
  {
    id: 'cpus',
    header: 'CPU allocated',
    align: 'right',
    cell: ({ sold, size, cpuOvercommit }) => (
      <span className="num whitespace-nowrap">
        {sold.cpus} <span className="text-faint">of {Math.floor(size.cpus * cpuOvercommit)}</span>
      </span>
    ),
    sort: ({ sold }) => sold.cpus,
  },
  {
    id: 'allocated',
    header: 'Memory allocated',
    align: 'right',
    cell: ({ sold, size, memoryReserve }) => (
      <span className="num whitespace-nowrap">
        {words(mebibytes(sold.memory))}{' '}
        <span className="text-faint">of {words(mebibytes(size.memory - memoryReserve))}</span>
      </span>
    ),
    sort: ({ sold }) => sold.memory,
  },
  ...USAGES.map(({ key, header, wideOnly }): Column<InventoryHypervisor> => ({
    id: key,
    header,
    wideOnly,
    cell: ({ usage, name }) => <UsageBar used={usage[key]} label={`${header} of ${name}`} />,
    sort: ({ usage }) => usage[key],
  })),
]

export function HypervisorTable() {
  const { data } = useSuspenseQuery(hypervisors())
  return (
    <DataTable
      label="Hypervisors"
      columns={COLUMNS}
      rows={data.hypervisors}
      rowKey={(hypervisor) => hypervisor.id}
      empty={
        <EmptyState
          icon="gauge"
          title="No hypervisors yet"
          action={
            <Link to="/admin/inventory" className={buttonClass('primary')}>
              Set up a site
            </Link>
          }
        >
          Routers need a site, a hypervisor and an address pool. Add all three under Infrastructure.
        </EmptyState>
      }
    />
  )
}
