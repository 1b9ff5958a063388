import { createFileRoute } from '@tanstack/react-router'
import { RouterPage } from '../../../../../routers/portal/RouterPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/$id/')({
  params: integerId,
  head: titled('Manage Router'),
  component: RouterPage,
})
