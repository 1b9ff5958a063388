import { createFileRoute } from '@tanstack/react-router'
import { loadTax } from '../../../../admin/portal/billing/loaders.ts'
import { TaxPage } from '../../../../admin/portal/billing/TaxPage.tsx'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/tax')({
  loader: loadTax,
  head: titled('Tax'),
  component: TaxPage,
})
