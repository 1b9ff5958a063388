import { createFileRoute } from '@tanstack/react-router'
import { loadPrices } from '../../../billing/portal/staff/loaders.ts'
import { PricesPage } from '../../../billing/portal/staff/PricesPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/admin/prices')({
  loader: loadPrices,
  head: titled('Prices'),
  component: PricesPage,
})
