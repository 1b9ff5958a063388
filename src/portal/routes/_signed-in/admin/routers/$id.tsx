import { createFileRoute } from '@tanstack/react-router'
import { AdminRouterPage } from '../../../../../admin/portal/AdminRouterPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/routers/$id')({
  params: integerId,
  head: titled('Router'),
  component: AdminRouterPage,
})
