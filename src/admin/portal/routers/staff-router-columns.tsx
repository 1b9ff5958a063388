import { Link } from '@tanstack/react-router'
import { Absent } from '../../../portal/ui/Absent.tsx'
import type { Column } from '../../../portal/ui/DataTable.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import type { ListedRouter } from '../../../routers/contract.ts'
import { STATE_LOOK } from '../../../routers/portal/router-state-look.ts'
import { LookBadge } from '../LookBadge.tsx'
import { PersonLink } from '../PersonLink.tsx'

export const staffRouterColumns: readonly Column<ListedRouter>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to="/admin/routers/$id" params={{ id }} className="row-link">
        {name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    besideName: true,
    cell: ({ state, stateKnown, failure, goneAt }) => (
      <span className="inline-flex items-center gap-1.5" title={failure ?? undefined}>
        <LookBadge look={STATE_LOOK[state]} />
        {goneAt !== null && (
          <span className="num text-xs text-faint">
            gone <Time at={goneAt} />
          </span>
        )}
        {!stateKnown && <StatusBadge tone="unknown">Last seen</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ user }) => <PersonLink id={user.id} person={user} />,
  },
  {
    id: 'address',
    header: 'Address',
    cell: ({ address4 }) => (address4 ? <span className="num font-mono text-sm">{address4}</span> : <Absent />),
  },
  { id: 'site', header: 'Site', cell: ({ site }) => site.name },
  {
    id: 'hypervisor',
    header: 'Hypervisor',
    cell: ({ hypervisor }) => (
      <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.id }} className="link relative z-1 whitespace-nowrap">
        {hypervisor.name}
      </Link>
    ),
  },
  { id: 'created', header: 'Ordered', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
