import { createFileRoute } from '@tanstack/react-router'
import { EditRouterPage } from '../../../../routers/portal/EditRouterPage.tsx'
import { loadRouterToEdit } from '../../../../routers/portal/loaders.ts'
import { pageTitle } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/routers/$id/edit')({
  params: integerId,
  loader: ({ params }) => loadRouterToEdit(params.id),
  head: ({ loaderData }) => ({ meta: [{ title: pageTitle(`Edit ${loaderData?.name ?? 'Router'}`) }] }),
  component: EditRouterPage,
})
