import { createFileRoute } from '@tanstack/react-router'
import { BillingPage } from '../../billing/portal/BillingPage.tsx'
import { loadBilling } from '../../billing/portal/loaders.ts'
import { titled } from '../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/billing')({
  head: titled('Billing'),
  loader: loadBilling,
  component: BillingPage,
})
