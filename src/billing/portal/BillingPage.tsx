import { PageHeader } from '../../portal/ui/PageHeader.tsx'
import { BillingAddress } from './BillingAddress.tsx'
import { Invoices } from './Invoices.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import { StandingNotice } from './StandingNotice.tsx'
import { ThisMonth } from './ThisMonth.tsx'
import { TransitUsage } from './TransitUsage.tsx'

export const BillingPage = () => (
  <>
    <PageHeader title="Billing" />
    <StandingNotice />
    <ThisMonth />
    <TransitUsage />
    <Invoices />
    <PaymentMethods />
    <BillingAddress />
  </>
)
