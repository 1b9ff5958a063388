import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../../kernel/money.ts'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { AsnDetail } from './AsnDetail.tsx'
import type { ListedUser } from './user-documents.ts'
import { fullName } from './user-name.ts'

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
  { id: 'asn', header: 'ASN', cell: (user) => <AsnDetail of={user.ipTransit} /> },
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
