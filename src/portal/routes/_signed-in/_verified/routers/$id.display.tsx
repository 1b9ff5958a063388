import { createFileRoute } from '@tanstack/react-router'
import { RouterDisplayPage } from '../../../../../routers/portal/RouterDisplayPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/$id/display')({
  params: integerId,
  head: titled('Control'),
  component: RouterDisplayPage,
})
