import { createFileRoute } from '@tanstack/react-router'
import { loadRouter } from '../../../../routers/portal/staff/loaders.ts'
import { AdminRouterPage } from '../../../../routers/portal/staff/AdminRouterPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/routers/$id')({
  params: integerId,
  loader: ({ params }) => loadRouter(params.id),
  head: titled('Admin router detail'),
  component: AdminRouterPage,
})
