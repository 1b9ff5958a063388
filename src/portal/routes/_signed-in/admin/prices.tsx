import { createFileRoute } from '@tanstack/react-router'
import { loadPrices } from '../../../../admin/portal/billing/loaders.ts'
import { PricesPage } from '../../../../admin/portal/billing/PricesPage.tsx'
import { titled } from '../../../title.ts'

export const Route = createFileRoute('/_signed-in/admin/prices')({
  loader: loadPrices,
  head: titled('Prices'),
  component: PricesPage,
})
