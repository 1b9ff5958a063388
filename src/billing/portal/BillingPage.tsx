import { PageHeader } from '../../portal/ui/PageHeader.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'

export const BillingPage = () => (
  <>
    <PageHeader title="Billing" />
    <PaymentMethods />
  </>
)
