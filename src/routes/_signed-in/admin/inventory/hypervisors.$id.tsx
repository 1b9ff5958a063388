import { createFileRoute } from '@tanstack/react-router'
import { loadDrain } from '../../../../routers/portal/staff/loaders.ts'
import { DrainPage } from '../../../../routers/portal/staff/inventory/DrainPage.tsx'
import { titled } from '../../../../ui/runtime/title.ts'
import { integerId } from '../../../-integer-id.ts'

export const Route = createFileRoute('/_signed-in/admin/inventory/hypervisors/$id')({
  params: integerId,
  loader: ({ params }) => loadDrain(params.id),
  head: titled('Hypervisor capacity'),
  component: DrainPage,
})
