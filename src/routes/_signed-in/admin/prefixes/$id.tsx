import { createFileRoute } from '@tanstack/react-router'
import { loadPrefix } from '../../../../transit/portal/staff/loaders.ts'
import { PrefixPage } from '../../../../transit/portal/staff/PrefixPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/prefixes/$id')({
  params: integerId,
  validateSearch: ({ queue }: Record<string, unknown>): { queue?: 'pending' } => (queue === 'pending' ? { queue } : {}),
  loader: ({ params }) => loadPrefix(params.id),
  head: titled('Prefix detail'),
  component: PrefixPage,
})
