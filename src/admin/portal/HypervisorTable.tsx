import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/components/button-variants.ts'
import { DataTable, type Column } from '../../ui/components/DataTable.tsx'
import { EmptyState } from '../../ui/components/EmptyState.tsx'
import { UsageBar } from '../../ui/components/UsageBar.tsx'
import type { DashboardHypervisor } from './documents/dashboard.ts'
import { HypervisorState } from '../../routers/portal/staff/inventory/HypervisorState.tsx'

const USAGES = [
  { key: 'cpuUsage', header: 'CPU' },
  { key: 'memoryUsage', header: 'Memory' },
  { key: 'ipv4Usage', header: 'IPv4' },
  { key: 'ipv6Usage', header: 'IPv6' },
] as const

const COLUMNS: readonly Column<DashboardHypervisor>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (hypervisor) => (
      <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.databaseId }} className="row-link">
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
    cell: ({ routers }) => <span className="num">{routers.totalCount}</span>,
    sort: ({ routers }) => routers.totalCount,
  },
  ...USAGES.map(({ key, header }): Column<DashboardHypervisor> => ({
    id: key,
    header,
    cell: (hypervisor) => <UsageBar used={hypervisor[key]} label={`${header} of ${hypervisor.name}`} />,
    sort: (hypervisor) => hypervisor[key],
  })),
]

export const HypervisorTable = ({ hypervisors }: { hypervisors: readonly DashboardHypervisor[] }) => (
  <DataTable
    label="Hypervisors"
    columns={COLUMNS}
    rows={hypervisors}
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
        Routers need a site, a hypervisor and an address pool. Add all three under Inventory.
      </EmptyState>
    }
  />
)
