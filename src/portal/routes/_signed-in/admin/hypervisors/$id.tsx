import { createFileRoute } from '@tanstack/react-router'
import { loadHypervisor } from '../../../../../admin/portal/loaders.ts'
import { HypervisorPage } from '../../../../../admin/portal/HypervisorPage.tsx'
import { titled } from '../../../../title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/hypervisors/$id')({
  params: integerId,
  loader: ({ params }) => loadHypervisor(params.id),
  head: titled('Hypervisor detail'),
  component: HypervisorPage,
})
