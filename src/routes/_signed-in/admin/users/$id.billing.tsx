import { createFileRoute } from '@tanstack/react-router'
import { CustomerBillingPage } from '../../../../billing/portal/staff/CustomerBillingPage.tsx'
import { loadCustomerBilling } from '../../../../billing/portal/staff/loaders.ts'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/users/$id/billing')({
  params: integerId,
  loader: ({ params }) => loadCustomerBilling(params.id),
  head: titled('Billing of a user'),
  component: CustomerBillingPage,
})
