import { createFileRoute } from '@tanstack/react-router'
import { loadPrefix } from '../../../../../admin/portal/loaders.ts'
import { PrefixPage } from '../../../../../admin/portal/PrefixPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/$id')({
  params: integerId,
  loader: ({ params }) => loadPrefix(params.id),
  head: titled('Prefix detail'),
  component: PrefixPage,
})
