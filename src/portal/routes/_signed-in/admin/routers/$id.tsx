import { createFileRoute } from '@tanstack/react-router'
import { loadRouter } from '../../../../../admin/portal/loaders.ts'
import { AdminRouterPage } from '../../../../../admin/portal/AdminRouterPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/routers/$id')({
  params: integerId,
  loader: ({ params }) => loadRouter(params.id),
  head: titled('Admin router detail'),
  component: AdminRouterPage,
})
