import { createFileRoute } from '@tanstack/react-router'
import { loadTax } from '../../../billing/portal/staff/loaders.ts'
import { TaxPage } from '../../../billing/portal/staff/TaxPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/tax')({
  loader: loadTax,
  head: titled('Tax'),
  component: TaxPage,
})
