import { createFileRoute } from '@tanstack/react-router'
import { loadOwnPrefix } from '../../../transit/portal/loaders.ts'
import { PrefixPage } from '../../../transit/portal/PrefixPage.tsx'
import { titled } from '../../../ui/runtime/title.ts'
import { integerId } from '../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/_verified/transit_/prefixes/$id')({
  params: integerId,
  loader: ({ params }) => loadOwnPrefix(params.id),
  head: titled('Prefix'),
  component: PrefixPage,
})
