import { Link } from '@tanstack/react-router'
import type { Column } from '../../../portal/ui/DataTable.tsx'
import { STATE_LOOK } from '../../../routers/portal/router-state-look.ts'
import type { HypervisorDrain } from '../../../routers/stock/contract.ts'
import { LookBadge } from '../LookBadge.tsx'
import { fullName } from '../person.ts'
import { PersonLink } from '../PersonLink.tsx'

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
  { id: 'state', header: 'State', cell: ({ state }) => <LookBadge look={STATE_LOOK[state]} />, sort: (r) => r.state },
  {
    id: 'user',
    header: 'User',
    cell: ({ user }) => <PersonLink id={user.id} person={user} />,
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
    cell: ({ obstacle }) => <span className="text-sm">{obstacle}</span>,
  },
]
