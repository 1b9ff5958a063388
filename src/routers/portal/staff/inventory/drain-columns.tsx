import { Link } from '@tanstack/react-router'
import type { Column } from '../../../../ui/components/DataTable.tsx'
import { STATE_BADGE } from '../../router-state-variants.ts'
import type { HypervisorDrain } from '../../../inventory/contract.ts'
import { ToneBadge } from '../../../../ui/staff/ToneBadge.tsx'
import { fullName } from '../../../../accounts/portal/staff/user-name.ts'
import { UserLink } from '../../../../accounts/portal/staff/UserLink.tsx'

type Row = HypervisorDrain['routers'][number]

export const drainColumns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (router) => (
      <Link to="/admin/routers/$id" params={{ id: router.id }} className="row-link">
        {router.name}
      </Link>
    ),
    sort: (router) => router.name,
    text: (router) => router.name,
  },
  { id: 'state', header: 'State', cell: ({ state }) => <ToneBadge badge={STATE_BADGE[state]} />, sort: (r) => r.state },
  {
    id: 'user',
    header: 'User',
    cell: ({ user }) => <UserLink id={user.id} user={user} />,
    text: ({ user }) => `${fullName(user)} ${user.email}`,
  },
  {
    id: 'target',
    header: 'Can move to',
    cell: ({ target }) => target?.name ?? <span className="text-faint">none</span>,
  },
  {
    id: 'obstacle',
    header: 'Next step',
    cell: ({ blocker }) => <span className="text-sm">{blocker}</span>,
  },
]
