import { Link } from '@tanstack/react-router'
import { formatAsn } from '../../../kernel/asn.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { Column } from '../../../ui/components/DataTable.tsx'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import { AsnDetail } from './AsnDetail.tsx'
import type { ListedUser } from './user-documents.ts'
import { fullName } from './user-name.ts'

const asnText = (asn: number | null | undefined) => (asn ? formatAsn(asn) : null)

export const userColumns: readonly Column<ListedUser>[] = [
  {
    id: 'name',
    header: 'Name',
    csv: fullName,
    cell: (user) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Link
          to="/admin/users/$id"
          params={{ id: user.databaseId }}
          title={fullName(user)}
          className="row-link wrap-anywhere @list:max-w-56 @list:truncate"
        >
          {fullName(user)}
        </Link>
        {user.isAdmin && <StatusBadge tone="off">Staff</StatusBadge>}
        {user.isSuspendedByStaff && <StatusBadge tone="bad">Suspended by staff</StatusBadge>}
        {user.isSuspendedForDebt && <StatusBadge tone="bad">Suspended for not paying</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'email',
    header: 'Email',
    csv: ({ email }) => email,
    cell: (user) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <span title={user.email} className="wrap-anywhere @list:max-w-56 @list:truncate">
          {user.email}
        </span>
        {!user.hasVerifiedEmail && <StatusBadge tone="warn">Unconfirmed</StatusBadge>}
      </span>
    ),
  },
  {
    id: 'company',
    header: 'Company',
    csv: ({ company }) => company,
    cell: ({ company }) =>
      company === null ? (
        <EmptyValue />
      ) : (
        <span title={company} className="line-clamp-1 min-w-24 break-all">
          {company}
        </span>
      ),
  },
  {
    id: 'asn',
    header: 'ASN',
    csv: ({ ipTransit }) => asnText(ipTransit?.asn),
    cell: (user) => <AsnDetail of={user.ipTransit} />,
  },
  {
    id: 'payment',
    header: 'Payment',
    csv: ({ hasValidPaymentMethod }) => (hasValidPaymentMethod ? 'Valid' : 'None'),
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
    csv: ({ chargesThisBillingCycle }) => formatMoney(chargesThisBillingCycle),
    cell: (user) => <span className="num">{formatMoney(user.chargesThisBillingCycle)}</span>,
  },
  {
    id: 'lastSignIn',
    header: 'Last sign-in',
    csv: ({ lastSignInAt }) => lastSignInAt,
    cell: (user) => <Time at={user.lastSignInAt} none="never" />,
    wideOnly: true,
    hiddenAtFirst: true,
  },
  {
    id: 'created',
    header: 'Signed up',
    csv: ({ createdAt }) => createdAt,
    cell: (user) => <Time at={user.createdAt} />,
  },
]
