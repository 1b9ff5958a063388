import { createFileRoute } from '@tanstack/react-router'
import { loadDrain } from '../../../../../admin/portal/loaders.ts'
import { DrainPage } from '../../../../../admin/portal/stock/DrainPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/stock/hypervisors/$id')({
  params: integerId,
  loader: ({ params }) => loadDrain(params.id),
  head: titled('Hypervisor capacity'),
  component: DrainPage,
})
