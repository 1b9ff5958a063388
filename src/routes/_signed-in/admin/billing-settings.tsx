import { createFileRoute } from '@tanstack/react-router'
import { loadTerms } from '../../../billing/portal/staff/loaders.ts'
import { TermsPage } from '../../../billing/portal/staff/TermsPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/billing-settings')({
  loader: loadTerms,
  head: titled('Billing settings'),
  component: TermsPage,
})
