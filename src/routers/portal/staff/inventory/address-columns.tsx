import { Link } from '@tanstack/react-router'
import type { Column } from '../../../../ui/components/DataTable.tsx'
import { Time } from '../../../../ui/components/Time.tsx'
import { HostAddress } from '../../HostAddress.tsx'
import { STATE_BADGE } from '../../router-state-variants.ts'
import type { PoolAddresses } from '../../../inventory/contract.ts'
import { ToneBadge } from '../../../../ui/staff/ToneBadge.tsx'
import { UserLink } from '../../../../accounts/portal/staff/UserLink.tsx'

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
  { id: 'ipv4', header: 'IPv4', cell: (row) => <HostAddress of={row} family={4} /> },
  { id: 'ipv6', header: 'IPv6', cell: (row) => <HostAddress of={row} family={6} /> },
  { id: 'state', header: 'State', cell: ({ router }) => <ToneBadge badge={STATE_BADGE[router.state]} /> },
  {
    id: 'user',
    header: 'User',
    cell: ({ user }) => <UserLink id={user.id} user={user} />,
  },
  { id: 'since', header: 'Since', cell: ({ router }) => <Time at={router.createdAt} /> },
]
