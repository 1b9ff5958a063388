import { PageHeader } from '../../ui/components/PageHeader.tsx'
import { BillingAddress } from './BillingAddress.tsx'
import { Invoices } from './Invoices.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import { BillingStatusNotice } from './BillingStatusNotice.tsx'
import { CurrentCharges } from './CurrentCharges.tsx'
import { TransitUsage } from './TransitUsage.tsx'

export const BillingPage = () => (
  <>
    <PageHeader title="Billing" />
    <BillingStatusNotice />
    <CurrentCharges />
    <TransitUsage />
    <Invoices />
    <PaymentMethods />
    <BillingAddress />
  </>
)
