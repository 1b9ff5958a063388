import { createFileRoute } from '@tanstack/react-router'
import { EditRouterPage } from '../../../../../routers/portal/EditRouterPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/$id/edit')({
  params: integerId,
  head: titled('Edit'),
  component: EditRouterPage,
})
