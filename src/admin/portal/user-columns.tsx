import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../kernel/money.ts'
import type { Column } from '../../portal/ui/DataTable.tsx'
import { StatusBadge } from '../../portal/ui/StatusBadge.tsx'
import { Time } from '../../portal/ui/Time.tsx'
import { AsnFact } from './AsnFact.tsx'
import type { ListedUser } from './documents/users.ts'
import { fullName } from './person.ts'

export const userColumns: readonly Column<ListedUser>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (user) => (
      <span className="inline-flex items-center gap-2">
        <Link to="/admin/users/$id" params={{ id: user.databaseId }} className="row-link">
          {fullName(user)}
        </Link>
        {user.isAdmin && <StatusBadge tone="off">Staff</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'email',
    header: 'Email',
    cell: (user) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <span title={user.email} className="wrap-anywhere @list:max-w-72 @list:truncate">
          {user.email}
        </span>
        {!user.hasVerifiedEmail && <StatusBadge tone="warn">Unconfirmed</StatusBadge>}
      </span>
    ),
  },
  { id: 'asn', header: 'ASN', cell: (user) => <AsnFact of={user.ipTransit} /> },
  {
    id: 'payment',
    header: 'Payment',
    cell: (user) =>
      user.hasValidPaymentMethod ? (
        <StatusBadge tone="ok">Valid</StatusBadge>
      ) : (
        <span className="text-faint">None</span>
      ),
  },
  {
    id: 'charges',
    header: 'This cycle',
    align: 'right',
    cell: (user) => <span className="num">{formatMoney(user.chargesThisBillingCycle)}</span>,
  },
  {
    id: 'lastSignIn',
    header: 'Last sign-in',
    cell: (user) => <Time at={user.lastSignInAt} none="never" />,
    wideOnly: true,
  },
  { id: 'created', header: 'Signed up', cell: (user) => <Time at={user.createdAt} /> },
]
