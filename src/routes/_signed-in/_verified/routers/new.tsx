import { createFileRoute } from '@tanstack/react-router'
import { CreateRouterPage } from '../../../../routers/portal/CreateRouterPage.tsx'
import { loadOrder } from '../../../../routers/portal/loaders.ts'
import { titled } from '../../../../ui/runtime/title.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/new')({
  head: titled('Create a router'),
  loader: loadOrder,
  component: CreateRouterPage,
})
