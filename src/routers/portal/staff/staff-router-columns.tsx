import { Link } from '@tanstack/react-router'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { addressOf } from '../../address-of.ts'
import type { ListedRouter } from '../../contract.ts'
import { STATE_BADGE } from '../router-state-variants.ts'
import { ToneBadge } from '../../../ui/staff/ToneBadge.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { UserLink } from '../../../accounts/portal/staff/UserLink.tsx'

export const staffRouterColumns: readonly Column<ListedRouter>[] = [
  {
    id: 'name',
    header: 'Name',
    csv: ({ name }) => name,
    cell: ({ id, name }) => (
      <Link to="/admin/routers/$id" params={{ id }} title={name} className="row-link line-clamp-1 min-w-24 break-all">
        {name}
      </Link>
    ),
  },
  {
    id: 'state',
    header: 'State',
    csv: ({ state }) => STATE_BADGE[state].label,
    besideName: true,
    cell: ({ state, stateKnown, failure, purgeAt }) => (
      <span className="inline-flex items-center gap-1.5" title={failure ?? undefined}>
        <ToneBadge badge={STATE_BADGE[state]} />
        {purgeAt !== null && (
          <span className="num text-xs text-faint">
            gone <Time at={purgeAt} />
          </span>
        )}
        {!stateKnown && <StatusBadge tone="unknown">Last seen</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'user',
    header: 'User',
    csv: ({ user }) => fullName(user),
    cell: ({ user }) => <UserLink id={user.id} user={user} />,
  },
  {
    id: 'address',
    header: 'Address',
    csv: (router) => addressOf(router, 4),
    cell: (router) => {
      const address = addressOf(router, 4)
      return address ? <span className="num font-mono text-sm">{address}</span> : <EmptyValue />
    },
  },
  {
    id: 'site',
    header: 'Site',
    csv: ({ site }) => site.name,
    cell: ({ site }) => <span className="whitespace-nowrap">{site.name}</span>,
  },
  {
    id: 'hypervisor',
    header: 'Hypervisor',
    csv: ({ hypervisor }) => hypervisor.name,
    cell: ({ hypervisor }) => (
      <Link to="/admin/hypervisors/$id" params={{ id: hypervisor.id }} className="link relative z-1 whitespace-nowrap">
        {hypervisor.name}
      </Link>
    ),
  },
  {
    id: 'created',
    header: 'Ordered',
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]
