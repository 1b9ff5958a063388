import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { PageHeader } from '../../../ui/components/PageHeader.tsx'
import { StatusBadge } from '../../../ui/components/StatusBadge.tsx'
import { Crumbs } from '../../../ui/components/Crumbs.tsx'
import { IdentityGate } from '../../../accounts/portal/proof/IdentityGate.tsx'
import { fullName } from '../../../accounts/portal/staff/user-name.ts'
import { customerBilling } from './api.ts'
import { CustomerCharges } from './CustomerCharges.tsx'
import { CustomerInvoices } from './CustomerInvoices.tsx'
import { CustomerItems } from './CustomerItems.tsx'
import { CustomerBillingDetails } from './CustomerBillingDetails.tsx'
import { CustomerPayments } from './CustomerPayments.tsx'
import { CustomerDunning } from './CustomerDunning.tsx'
import { AdjustmentsMenu } from './AdjustmentsMenu.tsx'
import { Ledger } from './Ledger.tsx'
import { STAGE_BADGE } from './money-labels.ts'
import { TransitTerms } from './TransitTerms.tsx'

const route = getRouteApi('/_signed-in/admin/users/$id/billing')

/** Shows all billing data of one customer, with the actions of staff. */
export function CustomerBillingPage() {
  const { id } = route.useParams()
  const billing = useSuspenseQuery(customerBilling(id)).data
  const { tone, label } = STAGE_BADGE[billing.dunning.stage]
  return (
    <IdentityGate>
      <PageHeader
        above={
          <Crumbs>
            <Link to="/admin/users/">Customers</Link>
            <Link to="/admin/users/$id" params={{ id }}>
              {fullName(billing.user)}
            </Link>
          </Crumbs>
        }
        title={`Billing of ${fullName(billing.user)}`}
        status={<StatusBadge tone={tone}>{label}</StatusBadge>}
        actions={<AdjustmentsMenu billing={billing} />}
      />
      <CustomerBillingDetails billing={billing} />
      <CustomerDunning billing={billing} />
      <CustomerCharges billing={billing} />
      <CustomerInvoices billing={billing} />
      <CustomerPayments billing={billing} />
      <CustomerItems billing={billing} />
      <TransitTerms billing={billing} />
      <Ledger billing={billing} />
    </IdentityGate>
  )
}
