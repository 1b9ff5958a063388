import { createFileRoute } from '@tanstack/react-router'
import { loadRouter } from '../../../../routers/portal/loaders.ts'
import { RouterDisplayPage } from '../../../../routers/portal/RouterDisplayPage.tsx'
import { pageTitle } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/$id/display')({
  params: integerId,
  loader: ({ params }) => loadRouter(params.id),
  head: ({ loaderData }) => ({ meta: [{ title: pageTitle(`Control ${loaderData?.name ?? 'Router'}`) }] }),
  component: RouterDisplayPage,
})
