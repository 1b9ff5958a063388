import { createFileRoute } from '@tanstack/react-router'
import { CustomerBillingPage } from '../../../../../admin/portal/billing/CustomerBillingPage.tsx'
import { loadCustomerBilling } from '../../../../../admin/portal/billing/loaders.ts'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/billing')({
  params: integerId,
  loader: ({ params }) => loadCustomerBilling(params.id),
  head: titled('Billing of a user'),
  component: CustomerBillingPage,
})
