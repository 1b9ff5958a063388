import { createFileRoute } from '@tanstack/react-router'
import { loadRouter } from '../../../../routers/portal/loaders.ts'
import { RouterPage } from '../../../../routers/portal/RouterPage.tsx'
import { pageTitle } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/$id/')({
  params: integerId,
  loader: ({ params }) => loadRouter(params.id),
  head: ({ loaderData }) => ({ meta: [{ title: pageTitle(loaderData?.name ?? 'Manage Router') }] }),
  component: RouterPage,
})
