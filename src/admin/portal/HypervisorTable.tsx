import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../portal/ui/button-look.ts'
import { DataTable, type Column } from '../../portal/ui/DataTable.tsx'
import { EmptyState } from '../../portal/ui/EmptyState.tsx'
import { UsageBar } from '../../portal/ui/UsageBar.tsx'
import type { DashboardHypervisor } from './documents/dashboard.ts'
import { HypervisorState } from './HypervisorState.tsx'

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
          <Link to="/admin/stock" className={buttonLook('primary')}>
            Set up a site
          </Link>
        }
      >
        Routers need a site, a hypervisor and an address pool. Add all three under Inventory.
      </EmptyState>
    }
  />
)
