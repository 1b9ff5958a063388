import { createFileRoute } from '@tanstack/react-router'
import { loadTerms } from '../../../../admin/portal/billing/loaders.ts'
import { TermsPage } from '../../../../admin/portal/billing/TermsPage.tsx'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/billing-settings')({
  loader: loadTerms,
  head: titled('Billing settings'),
  component: TermsPage,
})
