import { Link } from '@tanstack/react-router'
import { EmptyValue } from '../../../../ui/components/EmptyValue.tsx'
import type { Column } from '../../../../ui/components/DataTable.tsx'
import { Menu } from '../../../../ui/components/Menu.tsx'
import { UsageBar } from '../../../../ui/components/UsageBar.tsx'
import type { InventoryHypervisor } from '../../../inventory/contract.ts'
import { HypervisorState } from './HypervisorState.tsx'
import { shareOf } from './share-sold.ts'
import { actionsColumn } from '../../../../ui/components/actions-column.ts'

const ACCELERATION = { kvm: 'KVM', tcg: 'TCG, slow', none: 'none' } as const

const sellable = ({ size, cpuOvercommit, memoryReserve }: InventoryHypervisor) => ({
  cpus: size.cpus * cpuOvercommit,
  memory: size.memory - memoryReserve,
  disk: size.disk,
})

const sold = (id: 'cpus' | 'memory' | 'disk', header: string): Column<InventoryHypervisor> => {
  const share = (host: InventoryHypervisor) => shareOf(host.sold[id], sellable(host)[id])
  return {
    id,
    header,
    cell: (host) => <UsageBar used={share(host)} label={`${header} of ${host.name}`} />,
    sort: share,
  }
}

export const hypervisorColumns = ({
  blockedReason,
  onEdit,
}: {
  blockedReason: string | null
  onEdit: (host: InventoryHypervisor) => void
}): readonly Column<InventoryHypervisor>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (host) => (
      <Link to="/admin/hypervisors/$id" params={{ id: host.id }} className="row-link whitespace-nowrap">
        {host.name}
      </Link>
    ),
    sort: (host) => host.name,
  },
  { id: 'state', header: 'State', cell: (host) => <HypervisorState of={host} /> },
  {
    id: 'site',
    header: 'Site',
    cell: ({ site }) => <span className="@list:whitespace-nowrap">{site.name}</span>,
    sort: ({ site }) => site.name,
  },
  {
    id: 'process',
    header: 'Worker',
    cell: ({ leased, process }) =>
      leased ? (
        <span className="text-sm whitespace-nowrap">{process?.name ?? 'this process'}</span>
      ) : (
        <span className="text-sm text-bad">no process</span>
      ),
    sort: ({ leased, process }) => (leased ? (process?.name ?? '') : ''),
    hiddenAtFirst: true,
  },
  {
    id: 'acceleration',
    header: 'Acceleration',
    cell: ({ facts }) => (facts ? ACCELERATION[facts.acceleration] : <EmptyValue />),
    wideOnly: true,
    hiddenAtFirst: true,
  },
  {
    id: 'routers',
    header: 'Routers',
    align: 'right',
    cell: ({ routers }) => <span className="num">{routers}</span>,
    sort: ({ routers }) => routers,
  },
  sold('cpus', 'CPU allocated'),
  sold('memory', 'Memory allocated'),
  sold('disk', 'Disk allocated'),
  actionsColumn((host) => (
    <Menu
      label={`Actions for ${host.name}`}
      entries={[
        { label: 'Change name or size', icon: 'edit', disabledReason: blockedReason, onSelect: () => onEdit(host) },
      ]}
    />
  )),
]
