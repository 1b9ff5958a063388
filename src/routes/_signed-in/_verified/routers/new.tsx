import { createFileRoute } from '@tanstack/react-router'
import { loadOrderTerms } from '../../../../billing/portal/loaders.ts'
import { OrderRouterPage } from '../../../../billing/portal/OrderRouterPage.tsx'
import { loadOrder } from '../../../../routers/portal/loaders.ts'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/new')({
  head: titled('Create a router'),
  loader: () => Promise.all([loadOrder(), loadOrderTerms()]),
  component: OrderRouterPage,
})
