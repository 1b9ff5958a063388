import { Link } from '@tanstack/react-router'
import { formatMoney } from '../../../kernel/money.ts'
import { Copyable } from '../../../ui/components/Copyable.tsx'
import { EmptyValue } from '../../../ui/components/EmptyValue.tsx'
import { PropertyTable } from '../../../ui/components/PropertyTable.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Time } from '../../../ui/components/Time.tsx'
import type { DetailedUser } from './user-documents.ts'

export const UserDetails = ({ user }: { user: DetailedUser }) => (
  <PropertyTable
    items={[
      {
        label: 'Email',
        value: (
          <span className="flex flex-wrap items-center gap-x-2">
            <Copyable value={user.email} what="address" />
            <StatusBadge tone={user.hasVerifiedEmail ? 'ok' : 'warn'}>
              {user.hasVerifiedEmail ? 'Confirmed' : 'Unconfirmed'}
            </StatusBadge>
          </span>
        ),
      },
      { label: 'ID', value: <Copyable value={String(user.databaseId)} what="id" /> },
      { label: 'First name', value: user.firstName },
      { label: 'Last name', value: user.lastName },
      { label: 'Company', value: user.company ?? <EmptyValue /> },
      {
        label: 'Payment',
        value: (
          <StatusBadge tone={user.hasValidPaymentMethod ? 'ok' : 'off'}>
            {user.hasValidPaymentMethod ? 'Valid method' : 'No valid method'}
          </StatusBadge>
        ),
      },
      {
        label: 'This cycle',
        value: (
          <>
            <span className="num">{formatMoney(user.chargesThisBillingCycle)}</span>{' '}
            <span className="text-sm text-faint">accrued, before tax</span>{' '}
            <Link to="/admin/users/$id/billing" params={{ id: user.databaseId }} className="link text-sm">
              Charges and invoices
            </Link>
          </>
        ),
      },
      {
        label: 'Last sign-in',
        value: (
          <span className="flex flex-wrap items-center gap-x-2">
            <Time at={user.lastSignInAt} none="never" />
            {user.lastSignInIp && <Copyable value={user.lastSignInIp} />}
          </span>
        ),
      },
      { label: 'Signed up', value: <Time at={user.createdAt} /> },
    ]}
  />
)
