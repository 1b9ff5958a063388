import { createFileRoute } from '@tanstack/react-router'
import { loadHypervisor } from '../../../../routers/portal/staff/loaders.ts'
import { HypervisorPage } from '../../../../routers/portal/staff/inventory/HypervisorPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/hypervisors/$id')({
  params: integerId,
  loader: ({ params }) => loadHypervisor(params.id),
  head: titled('Hypervisor detail'),
  component: HypervisorPage,
})
