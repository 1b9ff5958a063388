import { Link } from '@tanstack/react-router'
import { Copyable } from '../../../portal/ui/Copyable.tsx'
import type { Column } from '../../../portal/ui/DataTable.tsx'
import { Time } from '../../../portal/ui/Time.tsx'
import { STATE_LOOK } from '../../../routers/portal/router-state-look.ts'
import type { PoolAddresses } from '../../../routers/stock/contract.ts'
import { LookBadge } from '../LookBadge.tsx'
import { PersonLink } from '../PersonLink.tsx'

type Row = PoolAddresses['addresses'][number]

export const addressColumns: readonly Column<Row>[] = [
  {
    id: 'router',
    header: 'Router',
    cell: ({ router }) => (
      <Link to="/admin/routers/$id" params={{ id: router.id }} className="row-link">
        {router.name}
      </Link>
    ),
  },
  { id: 'ipv4', header: 'IPv4', cell: ({ address4 }) => <Copyable value={address4} /> },
  { id: 'ipv6', header: 'IPv6', cell: ({ address6 }) => <Copyable value={address6} /> },
  { id: 'state', header: 'State', cell: ({ router }) => <LookBadge look={STATE_LOOK[router.state]} /> },
  {
    id: 'user',
    header: 'User',
    cell: ({ user }) => <PersonLink id={user.id} person={user} />,
  },
  { id: 'since', header: 'Since', cell: ({ router }) => <Time at={router.createdAt} /> },
]
