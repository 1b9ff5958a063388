import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PageHeader } from '../../../portal/ui/PageHeader.tsx'
import { StatusBadge } from '../../../portal/ui/StatusBadge.tsx'
import { Crumbs } from '../../../portal/ui/Crumbs.tsx'
import { fullName } from '../person.ts'
import { customerBilling } from './api.ts'
import { CustomerCharges } from './CustomerCharges.tsx'
import { CustomerInvoices } from './CustomerInvoices.tsx'
import { CustomerItems } from './CustomerItems.tsx'
import { CustomerMoney } from './CustomerMoney.tsx'
import { CustomerPayments } from './CustomerPayments.tsx'
import { CustomerStanding } from './CustomerStanding.tsx'
import { GiveMenu } from './GiveMenu.tsx'
import { Ledger } from './Ledger.tsx'
import { STAGE_LOOK } from './money-words.ts'
import { TransitTerms } from './TransitTerms.tsx'

const route = getRouteApi('/_signed-in/admin/users/$id/billing')

/** Everything that billing knows of one customer, and what staff may do about it. */
export function CustomerBillingPage() {
  const { id } = route.useParams()
  const billing = useSuspenseQuery(customerBilling(id)).data
  const { tone, word } = STAGE_LOOK[billing.dunning.stage]
  return (
    <>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/users/">Users</Link>
            <Link to="/admin/users/$id" params={{ id }}>
              {fullName(billing.user)}
            </Link>
          </Crumbs>
        }
        title={`Billing of ${fullName(billing.user)}`}
        status={<StatusBadge tone={tone}>{word}</StatusBadge>}
        actions={<GiveMenu billing={billing} />}
      />
      <CustomerMoney billing={billing} />
      <CustomerStanding billing={billing} />
      <CustomerCharges billing={billing} />
      <CustomerInvoices billing={billing} />
      <CustomerPayments billing={billing} />
      <CustomerItems billing={billing} />
      <TransitTerms billing={billing} />
      <Ledger billing={billing} />
    </>
  )
}
