import { createFileRoute } from '@tanstack/react-router'
import { CreateRouterPage } from '../../../../../routers/portal/CreateRouterPage.tsx'
import { titled } from '../../../../title.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/new')({
  head: titled('Create a router'),
  component: CreateRouterPage,
})
