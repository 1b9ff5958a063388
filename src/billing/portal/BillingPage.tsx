import { PageHeader } from '../../portal/ui/PageHeader.tsx'

export const BillingPage = () => <PageHeader title="Billing" />
